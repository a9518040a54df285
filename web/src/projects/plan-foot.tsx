import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { WorkDays, dayNumber } from '../../../server/src/schedule/workdays.ts'
import { onActs, pendingActs } from '../data/history.ts'
import { moduleQuery } from '../data/modules.ts'
import { onWaiting, waitingWrites } from '../data/plan-waiting.ts'
import type { AnyRecord } from '../data/record.ts'
import { recordQuery } from '../data/record.ts'
import { personIn } from '../records/field/linked.ts'
import { useFormat } from '../records/field/use-format.ts'
import { hours } from '../records/field/format.ts'
import { useOnline } from '../shell/online.ts'
import { Kbd } from '../ui/kbd.tsx'
import styles from './plan.module.css'
import type { Work } from './use-work.ts'
import { t } from '../locales/text.ts'

const keys = {
  moving: [
    ['Enter', t('edit')],
    ['c', t('new line')],
    ['x', t('select')],
    ['Alt+ArrowUp', t('move')],
    ['Mod+Z', t('undo')],
    ['?', t('all keys')],
  ],
  editing: [
    ['Enter', t('next line')],
    ['Tab', t('indent')],
    ['@', t('owner')],
    ['Escape', t('leave')],
  ],
} as const

/** The keys that do something now, how large the plan is, and whether all of it is stored. */
export function PlanFoot({ work, mode }: { work: Work; mode: keyof typeof keys }) {
  const { plan, projectId, rights, mayCreate } = work
  const format = useFormat()
  const pending = useSyncExternalStore(onActs, () => pendingActs(projectId))
  const waiting = useSyncExternalStore(onWaiting, waitingWrites)
  const isOnline = useOnline()
  const saved = waiting
    ? isOnline
      ? t('Sending · {count} change waits | Sending · {count} changes wait', { count: waiting })
      : t('Offline · {count} change waits | Offline · {count} changes wait', { count: waiting })
    : pending
      ? t('Saving…')
      : t('Saved')
  const spent = 60 * plan.totals.spent_minutes
  const mayWrite = mayCreate || rights.mayPlan || rights.mayChange
  return (
    <div className={styles.foot}>
      {mayWrite ? (
        <ul aria-label={t('Keys')}>
          {keys[mode].map(([key, does]) => (
            <li key={key}>
              <Kbd keys={key} /> {does}
            </li>
          ))}
        </ul>
      ) : (
        <Reading projectId={projectId} />
      )}
      <span className={styles.grow} />
      {plan.is_complete ? null : (
        <span>{t('Not everything is shown: there is more than fits here.')}</span>
      )}
      <span>{t('{count} task | {count} tasks', { count: plan.tasks.length })}</span>
      <span>{daysOf(work)}</span>
      {spent ? <span>{t('{hours} spent', { hours: hours(spent, format) })}</span> : null}
      {mayWrite ? <span role="status">{saved}</span> : null}
    </div>
  )
}

/** That a plan can only be read, and who can change it. */
function Reading({ projectId }: { projectId: string }) {
  const { data: projects } = useSuspenseQuery(moduleQuery('projects'))
  const project: AnyRecord | undefined = useQuery(recordQuery(projects, projectId)).data
  const owner = personIn(project?.project_owner)
  return (
    <span>
      {owner
        ? t('You can read this plan. {person} can change it.', { person: owner.full_name })
        : t('You can read this plan.')}
    </span>
  )
}

/** The working days from the first day of a plan to its last one. */
function daysOf({ plan, spans }: Work): string {
  const days = [...spans.values()].flatMap(({ start, due }) => [start ?? [], due ?? []].flat())
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
  if (first === undefined || last === undefined) return t('No dates')
  const from = dayNumber(first)
  return t('{count} working day | {count} working days', {
    count: new WorkDays(plan.calendar, from).length(from, dayNumber(last)),
  })
}
