import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { components } from '../api/schema.d.ts'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import {
  convertDeal,
  dealFiguresQuery,
  projectOfDealQuery,
  stageHistoryQuery,
} from '../data/deal.ts'
import { fieldOf } from '../data/modules.ts'
import { queryClient } from '../data/query-client.ts'
import { idOf, titleOf } from '../data/record.ts'
import { useMay, useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { money, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { later } from '../records/later.tsx'
import { Strip } from '../records/page/strip.tsx'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import { StageBar } from '../ui/stage-bar.tsx'
import styles from './deal-head.module.css'
import { t } from '../locales/text.ts'

const UseTemplate = later(() => import('../templates/use-template.tsx'), 'shown')
const LostReason = later(() => import('../records/board/lost-reason.tsx'))

type DealFigures = components['schemas']['DealFigures']
type Stage = {
  stage_id: string
  stage_name: string
  category: 'open' | 'won' | 'lost'
  color: string | null
  probability: number | null
}

/** The head of a deal: its figures, and its stages, to move it. */
export default function DealHead({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const format = useFormat()
  const navigate = useNavigate()
  const [pending, setPending] = useState<Stage>()
  const [isBusy, setBusy] = useState(false)
  const mayUpdate = useMayOf(module.module, record, 'update')
  const mayCreate = useMay('projects', 'create')
  const mayUse = useMay('templates', 'read')
  const [isUsing, setUsing] = useState(false)
  const { data: history = [] } = useQuery(stageHistoryQuery(id, record.version))
  const { data: figures, isPending } = useQuery(dealFiguresQuery(id, record.version))
  const stages = (record.pipeline_stages as Stage[] | null) ?? []
  const at = stages.findIndex(({ stage_id }) => stage_id === record.stage_id)
  const stage = stages[at]
  // the ends of an open deal are acts, not stages among the others
  const isOpen = stage?.category === 'open'
  const ends = stages.filter(({ category }) => category !== 'open')
  const inBar = stages.filter((each) => each.category === 'open' || each === stage)
  const isWon = stage?.category === 'won' && mayCreate
  const { data: existing } = useQuery({ ...projectOfDealQuery(id), enabled: isWon })

  function go(next: Stage | undefined, reason?: string) {
    if (!next || next === stage || !mayUpdate) return
    if (next.category === 'lost' && reason === undefined) {
      setPending(next)
      return
    }
    setPending(undefined)
    const more = reason === undefined ? {} : { lost_reason: reason }
    const asks = next.category === 'won' && mayCreate && mayUse
    void changeRecord(
      module,
      id,
      { stage_id: next.stage_id, ...more },
      { message: t('Moved to {stage_name}', { stage_name: next.stage_name }) },
    )
      // a deal that was just won asks for its project, which somebody who cancels opens later
      .then(() => (asks ? setUsing(true) : undefined))
      .catch(notifyRefusal)
  }
  useShortcuts(
    mayUpdate
      ? [
          { keys: ']', label: t('Next stage'), group: t('Deal'), run: () => go(stages[at + 1]) },
          {
            keys: '[',
            label: t('Previous stage'),
            group: t('Deal'),
            run: () => go(stages[at - 1]),
          },
        ]
      : [],
  )

  /** Opens the deal's project; one that does not exist yet is created, from a template if the person may see them. */
  async function open() {
    setBusy(true)
    try {
      const existing = await queryClient.fetchQuery(projectOfDealQuery(id))
      if (existing === null && mayUse) setUsing(true)
      else {
        const project = existing ?? (await convertDeal(id))
        await navigate({ to: '/projects/$id/{-$tab}', params: { id: project } })
      }
    } catch (error) {
      notifyRefusal(error)
    } finally {
      setBusy(false)
    }
  }

  const value = typeof record.expected_deal_value === 'number' ? record.expected_deal_value : null
  const currency = String(record.currency_unit ?? format.currency)
  const weighted = value === null ? null : Math.round(value * (stage?.probability ?? 0)) / 100
  const { stage_age_days: age = null, stage_usual_days: usual = null } = figures ?? {}
  const reason = fieldOf(module, 'lost_reason')?.options.find(
    (option) => option.value === record.lost_reason,
  )
  return (
    <div className={styles.head}>
      <Strip
        module={module}
        record={record}
        notes={{ forecasted_date: slipOf(figures) }}
        own={[
          ...(stage?.category === 'open'
            ? [
                {
                  after: 'expected_deal_value',
                  label: t('Weighted, {percent}', {
                    percent: percent(stage.probability ?? 0, format),
                  }),
                  value: weighted === null ? null : money(weighted, currency, format),
                },
              ]
            : []),
          ...(stage?.category === 'open'
            ? [
                {
                  after: 'forecasted_date',
                  label: t('In this stage'),
                  value: age === null ? null : t('{count} day | {count} days', { count: age }),
                  note: usual === null ? null : t('usually {days}', { days: usual }),
                  // its place is kept until it is there
                  isEmpty: !isPending && age === null,
                },
              ]
            : []),
          ...(stage?.category === 'lost' && reason
            ? [{ after: 'forecasted_date', label: t('Lost because'), value: reason.label }]
            : []),
        ]}
      >
        {isWon ? (
          <Button variant="primary" icon="folder-kanban" busy={isBusy} onClick={() => void open()}>
            {existing === null ? t('Create its project') : t('Open its project')}
          </Button>
        ) : null}
      </Strip>
      <div className={styles.stages}>
        <StageBar
          label={t('Stage')}
          stages={inBar.map(({ stage_id, stage_name, category, color }) => {
            const spent = history
              .filter((each) => each.stage_id === stage_id)
              .reduce((sum, { duration }) => sum + duration, 0)
            return {
              value: stage_id,
              label: stage_name,
              tone: category,
              color,
              ...(spent ? { hint: spentWords(spent, stage_name) } : {}),
            }
          })}
          value={stage?.stage_id ?? null}
          {...(mayUpdate
            ? {
                onChange: (next: string) => go(stages.find(({ stage_id }) => stage_id === next)),
              }
            : {})}
        />
        {mayUpdate && isOpen ? (
          <div className={styles.ends}>
            {ends.toReversed().map((end) => (
              <Button
                key={end.stage_id}
                {...(end.category === 'won' ? { variant: 'primary', icon: 'trophy' } : {})}
                onClick={() => go(end)}
              >
                {endWords(end, ends)}
              </Button>
            ))}
          </div>
        ) : null}
      </div>
      {isUsing ? (
        <UseTemplate
          target={{ kind: 'deal', id, name: titleOf(module, record), record }}
          onClose={() => setUsing(false)}
        />
      ) : null}
      {pending ? (
        <LostReason
          options={fieldOf(module, 'lost_reason')?.options ?? []}
          onCancel={() => setPending(undefined)}
          onChoose={(chosen) => go(pending, chosen)}
        />
      ) : null}
    </div>
  )
}

/** What moves a deal to one of its ends; by the stage's name where there are several like it. */
function endWords({ category, stage_name }: Stage, ends: Stage[]): string {
  const isOnly = ends.filter((each) => each.category === category).length === 1
  if (!isOnly) return t('Mark as {stage}', { stage: stage_name })
  return category === 'won' ? t('Mark as won') : t('Mark as lost')
}

/** How the expected day has slipped: "moved twice, +21 days"; nothing where it stands as at first. */
function slipOf(figures: DealFigures | undefined): string | null {
  const { close_date_moves: moves = 0, close_date_days: days = null } = figures ?? {}
  if (!moves || !days) return null
  const count = Math.abs(days)
  const change = `${days > 0 ? '+' : '−'}${count}`
  if (moves === 1)
    return t('moved once, {change} day | moved once, {change} days', { change, count })
  if (moves === 2) {
    return t('moved twice, {change} day | moved twice, {change} days', { change, count })
  }
  return t('moved {moves} times, {change} day | moved {moves} times, {change} days', {
    moves,
    change,
    count,
  })
}

/** Seconds as days: "less than a day", "1 day", "12 days". */
function spentWords(seconds: number, stage: string): string {
  const days = Math.floor(seconds / 86_400)
  return days < 1
    ? t('less than a day in {stage}', { stage })
    : t('1 day in {stage} | {count} days in {stage}', { count: days, stage })
}
