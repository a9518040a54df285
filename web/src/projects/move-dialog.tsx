import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import type { Act } from '../data/history.ts'
import type { Follow, PlanChanges, PlanMove, PlanOp } from '../data/plan-moves.ts'
import { movePlan, planMoveQuery, tasksIn } from '../data/plan-moves.ts'
import type { Format } from '../records/field/format.ts'
import { day } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { usePaused } from '../ui/use-paused.ts'
import { useStateFor } from '../ui/use-state-for.ts'
import styles from './plan.module.css'
import { t } from '../locales/text.ts'

const follows: { value: Follow; label: string }[] = [
  { value: 'use_gaps', label: t('Use up the gaps') },
  { value: 'keep_gaps', label: t('Keep the gaps') },
  { value: 'none', label: t('Only this one') },
]

/** What is to move: a row, whose dates are chosen here, or by operations that are already chosen. */
export type Moving = {
  title: string
  id: string
  start_date: string | null
  due_date: string | null
  ops?: PlanOp[]
  /** what is done and undone with it */
  also?: Act | undefined
}

type Props = {
  projectId: string
  moving: Moving
  /** what the operations are chosen by */
  children?: ReactNode
  onClose: () => void
}

/** Moves a row of a plan: what follows is shown before it moves, and all of it is one undo. */
export default function MoveDialog({ projectId, moving, children, onClose }: Props) {
  const format = useFormat()
  const { id, title, ops, also } = moving
  const [start_date, setStart] = useState(moving.start_date)
  const [due_date, setDue] = useState(moving.due_date)
  const [follow, setFollow] = useState<Follow>('use_gaps')
  const [isBusy, setBusy] = useState(false)
  // a year is typed digit by digit
  const isBackwards = start_date !== null && due_date !== null && due_date < start_date
  const move: PlanMove = {
    ops: ops ?? [{ op: 'set', id, set: { start_date, due_date } }],
    follow,
  }
  const typed = JSON.stringify(move)
  const isPaused = usePaused(typed, 200) === typed
  // of this move; another one may be well
  const [refusal, setRefusal] = useStateFor<string | null>(null, typed)
  const preview = useQuery({
    ...planMoveQuery(projectId, move),
    enabled: isPaused && !isBackwards,
    placeholderData: keepPreviousData,
  })
  const { data, error, isPlaceholderData } = preview
  const isCurrent = data !== undefined && !isPlaceholderData && !isBackwards && !error
  const isChange = isCurrent && (data.moved.length > 0 || ops !== undefined)
  const read = error ? asProblem(error).message : refusal
  const problem = isBackwards ? t('must not be before the start') : read

  async function apply() {
    if (!isChange || isBusy) return
    setBusy(true)
    setRefusal(null)
    try {
      await movePlan(projectId, move, data.plan_version, { also })
      onClose()
    } catch (reason) {
      setRefusal(asProblem(reason).message)
      // somebody changed the plan meanwhile: what would move now
      void preview.refetch()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Move {title}', { title })}
      onSubmit={() => void apply()}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!isChange}>
            {buttonOf(data)}
          </Button>
        </>
      }
    >
      {children}
      {ops ? (
        problem && <p role="alert">{problem}</p>
      ) : (
        <>
          <Field label={t('Start')}>
            <DateField value={start_date} onChange={setStart} />
          </Field>
          <Field label={t('Due')} error={problem ?? undefined}>
            <DateField value={due_date} onChange={setDue} />
          </Field>
        </>
      )}
      <SegmentedControl
        label={t('What follows')}
        value={follow}
        onChange={setFollow}
        options={follows}
      />
      <p role="status">{data ? outcomeOf(data, format) : t('Counting what follows…')}</p>
      {data?.conflicts.length ? (
        <ul aria-label={t('Conflicts')}>
          {data.conflicts.map(({ kind, id, text }) => (
            <li key={`${kind} ${id}`}>{text}</li>
          ))}
        </ul>
      ) : null}
      {data?.moved.length ? <Moves moved={data.moved} format={format} /> : null}
    </Dialog>
  )
}

function Moves({ moved, format }: { moved: PlanChanges['moved']; format: Format }) {
  const shown = ({ start, due }: PlanChanges['moved'][number]['from']) => {
    if (start && due)
      return t('{start} to {end}', { start: day(start, format), end: day(due, format) })
    const only = start ?? due
    return only ? day(only, format) : ''
  }
  return (
    <table className={styles.moves} aria-label={t('What moves')} width="100%">
      <thead>
        <tr>
          <th scope="col">{t('Row')}</th>
          <th scope="col">{t('Before')}</th>
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {moved.map(({ id, number, title, owner, from, to, because }) => (
          <tr key={id}>
            <th scope="row">
              {number} {title}
              <br />
              <small>
                {[owner?.full_name, because ? t('after {title}', { title: because.title }) : null]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </th>
            <td>{shown(from)}</td>
            <td>{shown(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function buttonOf(data: PlanChanges | undefined): string {
  const count = tasksIn(data?.moved ?? [])
  return count > 1 ? t('Move {count} tasks', { count }) : t('Move')
}

function outcomeOf({ moved, people, go_live }: PlanChanges, format: Format): string {
  if (!moved.length) return t('Nothing moves.')
  const tasks = tasksIn(moved)
  const counts = [
    t('{count} task moves | {count} tasks move', { count: tasks }),
    ...(people.length ? [t('{count} person | {count} people', { count: people.length })] : []),
  ]
  const { from, to } = go_live
  const end =
    from && to
      ? from === to
        ? t('The plan still ends {day}.', { day: day(to, format) })
        : t('The plan ends {day} instead of {before}.', {
            day: day(to, format),
            before: day(from, format),
          })
      : ''
  return `${counts.join(', ')}. ${end}`.trimEnd()
}
