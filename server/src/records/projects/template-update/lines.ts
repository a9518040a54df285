import { distinctTags } from '../../../kit/record/tag-list.ts'
import type { TemplateConfig } from '../../../model/templates/config.ts'
import { mostLevels } from '../../../model/templates/config.ts'
import { refIn } from '../../templates/layout.ts'
import { linksBetween } from '../../templates/links.ts'
import type { PlannedTask } from '../../templates/plan.ts'
import { planOf } from '../../templates/plan.ts'

/** How a line waits for another one. */
export type Waits = { type: string; lag_days: number }

/** A milestone or task of a version of a template, by what names it in all of them. */
export type Line = {
  kind: 'milestone' | 'task'
  ref: string
  title: string
  description: string | null
  is_shared: boolean
  asks_for_file: boolean
  priority: string | null
  tags: string[]
  estimate_minutes: number | null
  form_id: string | null
  document_id: string | null
  /** working days from the start of the project, from 0 */
  start: number
  days: number
  milestone: string | null
  parent: string | null
  role: string | undefined
  /** the lines that it waits for */
  waits: Map<string, Waits>
  /** the task as the template has it; null of a milestone */
  task: PlannedTask | null
}

/** The second of several lines with one name is another one. */
export function numbered(): (ref: string) => string {
  const seen = new Map<string, number>()
  return (ref) => {
    const count = (seen.get(ref) ?? 0) + 1
    seen.set(ref, count)
    return count === 1 ? ref : `${ref} ${count}`
  }
}

/** The lines of a version of a template, in its order. */
export function linesOf(template_id: string, config: TemplateConfig): Line[] {
  const nameOf = { milestone: numbered(), task: numbered() }
  const full = (kind: Line['kind'], ref: string) =>
    nameOf[kind](`${kind} ${refIn({ template_id }, ref) ?? ref}`)
  const tasks: { line: Line; task: PlannedTask }[] = []
  const lines = planOf(config).flatMap((milestone): Line[] => {
    const own = full('milestone', milestone.ref)
    const within = new Map<string, { ref: string; level: number }>()
    const inside = milestone.tasks.map((task): Line => {
      const above = within.get(task.parent ?? '')
      const parent = above && above.level < mostLevels ? above : undefined
      const ref = full('task', task.ref)
      for (const name of [task.id, task.title]) {
        if (name && !within.has(name)) within.set(name, { ref, level: (parent?.level ?? 0) + 1 })
      }
      const line: Line = {
        kind: 'task',
        ref,
        title: task.title,
        description: task.description ?? null,
        is_shared: task.is_shared ?? false,
        asks_for_file: task.asks_for_file ?? false,
        priority: task.priority ?? null,
        tags: distinctTags(task.tags ?? []),
        estimate_minutes: task.estimate_minutes ?? null,
        form_id: task.form_id ?? null,
        document_id: task.document_id ?? null,
        start: milestone.start + (task.start_offset_days ?? 0),
        days: Math.max(1, task.duration_days ?? 1),
        milestone: own,
        parent: parent?.ref ?? null,
        role: task.assignee_role,
        waits: new Map(),
        task,
      }
      tasks.push({ line, task })
      return line
    })
    const { name: title, description, is_shared, start, end, role } = milestone
    const span = { start, days: Math.max(1, end - start) }
    const words = { title, description, is_shared, asks_for_file: false, priority: null, tags: [] }
    const more = { estimate_minutes: null, form_id: null, document_id: null }
    const place = { milestone: null, parent: null, role, waits: new Map<string, Waits>() }
    return [
      { kind: 'milestone', ref: own, ...words, ...more, ...span, ...place, task: null },
      ...inside,
    ]
  })
  for (const link of linksBetween(tasks.map(({ task }) => task))) {
    const [line, before] = [tasks[link.task]?.line, tasks[link.predecessor]?.line]
    const { type, lag_days } = link
    if (line && before) line.waits.set(before.ref, { type, lag_days })
  }
  return lines
}

/** Whether two versions of a line are the same. */
export function isSameLine(one: Line, other: Line): boolean {
  return (
    [...contentFields, ...addedFields].every((field) => isSameValue(one[field], other[field])) &&
    one.start === other.start &&
    one.days === other.days &&
    isSameValue([...one.waits].toSorted(byName), [...other.waits].toSorted(byName))
  )
}

/** What of a line a project takes over besides its dates and dependencies, unless a person has changed any of it. */
export const contentFields = [
  'title',
  'description',
  'is_shared',
  'asks_for_file',
  'priority',
  'tags',
] as const

/** What it takes over besides, each by itself: a task that got its own estimate still gets a new title. */
const addedFields = ['estimate_minutes', 'form_id', 'document_id'] as const

/** Whether two values are the same; no text is an empty one. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one || null) === JSON.stringify(other || null)
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}
