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
import { counted } from '../ui/counted.ts'
import { Kbd } from '../ui/kbd.tsx'
import styles from './plan.module.css'
import type { Work } from './use-work.ts'

const keys = {
  moving: [
    ['Enter', 'edit'],
    ['c', 'new line'],
    ['x', 'select'],
    ['Alt+ArrowUp', 'move'],
    ['Mod+Z', 'undo'],
    ['?', 'all keys'],
  ],
  editing: [
    ['Enter', 'next line'],
    ['Tab', 'indent'],
    ['@', 'owner'],
    ['Escape', 'leave'],
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
    ? `${isOnline ? 'Sending' : 'Offline'} · ${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'}`
    : pending
      ? 'Saving…'
      : 'Saved'
  const spent = 60 * plan.totals.spent_minutes
  const mayWrite = mayCreate || rights.mayPlan || rights.mayChange
  return (
    <div className={styles.foot}>
      {mayWrite ? (
        <ul aria-label="Keys">
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
        <span>Not everything is shown: there is more than fits here.</span>
      )}
      <span>{counted(plan.tasks.length, 'task')}</span>
      <span>{daysOf(work)}</span>
      {spent ? <span>{hours(spent, format)} spent</span> : null}
      {mayWrite ? <span role="status">{saved}</span> : null}
    </div>
  )
}

/** That a plan can only be read, and who can change it. */
function Reading({ projectId }: { projectId: string }) {
  const { data: projects } = useSuspenseQuery(moduleQuery('projects'))
  const project: AnyRecord | undefined = useQuery(recordQuery(projects, projectId)).data
  const owner = personIn(project?.project_owner)
  return <span>You can read this plan.{owner ? ` ${owner.full_name} can change it.` : ''}</span>
}

/** The working days from the first day of a plan to its last one. */
function daysOf({ plan, spans }: Work): string {
  const days = [...spans.values()].flatMap(({ start, due }) => [start ?? [], due ?? []].flat())
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
  if (first === undefined || last === undefined) return 'No dates'
  const from = dayNumber(first)
  return counted(new WorkDays(plan.calendar, from).length(from, dayNumber(last)), 'working day')
}
