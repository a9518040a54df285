import { heldUpIn } from '../../../server/src/schedule/health.ts'
import type { EnginePart } from './engine-plan.ts'
import { enginePlan } from './engine-plan.ts'
import { t } from '../locales/text.ts'

/** Why a row needs somebody: it is late, or waits for another one that should have been done. */
export type Trouble = { kind: 'late' | 'blocked'; text: string; title?: string }

/** What is the matter with each task of a plan, by its id, as the service says it; `numbers` are those that are shown. */
export function troublesOf(
  plan: EnginePart,
  numbers: ReadonlyMap<string, string>,
  today: string,
): Map<string, Trouble> {
  const { late, blocked } = heldUpIn(enginePlan({ ...plan, today }))
  const byId = new Map(plan.tasks.map((task) => [task.item_id, task]))
  const before = Map.groupBy(plan.dependencies, ({ task_id }) => task_id)
  const found = new Map<string, Trouble>()
  for (const { item_id: id, is_blocked } of plan.tasks) {
    const why = late.get(id)
    if (!why && !blocked.has(id)) continue
    const open = (before.get(id) ?? []).flatMap(({ predecessor_id }) => {
      const one = byId.get(predecessor_id)
      return one && !one.is_completed ? one : []
    })
    const first = open.find((one) => late.has(one.item_id)) ?? open[0]
    const cause = why?.kind === 'predecessor' ? byId.get(why.of) : first
    const name = cause ? { title: waitsFor(cause) } : {}
    const task = cause && (numbers.get(cause.item_id) ?? cause.title)
    const after = cause
      ? t('after {task}', { task })
      : is_blocked
        ? t('waits for another task')
        : ''
    if (why) {
      const text = [t('{count} day late | {count} days late', { count: why.days }), after]
        .filter(Boolean)
        .join(' · ')
      found.set(id, { kind: 'late', text, ...name })
    } else {
      const its = cause && late.get(cause.item_id)
      const text = its
        ? t('after {task}, which is {count} day late | after {task}, which is {count} days late', {
            task,
            count: its.days,
          })
        : after || t('waits for another task')
      found.set(id, { kind: 'blocked', text, ...name })
    }
  }
  return found
}

function waitsFor({ title, owner }: EnginePart['tasks'][number]): string {
  return owner
    ? t('waits for {title} ({person})', { title, person: owner.full_name })
    : t('waits for {title}', { title })
}
