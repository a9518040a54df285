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
  const words = (days: number) => t('{count} day late | {count} days late', { count: days })
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
    const who = cause?.owner ? ` (${cause.owner.full_name})` : ''
    const name = cause ? { title: t('waits for {title}{who}', { title: cause.title, who }) } : {}
    const after = cause
      ? t('after {value}', { value: numbers.get(cause.item_id) ?? cause.title })
      : is_blocked
        ? t('waits for another task')
        : ''
    if (why) {
      const text = [words(why.days), after].filter(Boolean).join(' · ')
      found.set(id, { kind: 'late', text, ...name })
    } else {
      const its = cause && late.get(cause.item_id)
      const text = its
        ? t('{after}, which is {words}', { after, words: words(its.days) })
        : after || t('waits for another task')
      found.set(id, { kind: 'blocked', text, ...name })
    }
  }
  return found
}
