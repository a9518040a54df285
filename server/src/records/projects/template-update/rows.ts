import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Place } from '../../../kit/record/rank.ts'
import { rankOf, textOf } from '../../../kit/record/rank.ts'
import type { StoredPlan, StoredRow } from '../schedule/stored.ts'
import { numbered } from './lines.ts'

/** A milestone or task of a project, with the line of a template from which it was made. */
export type ProjectRow = StoredRow & {
  row_kind: 'milestone' | 'task'
  ref: string | null
  description: string | null
  is_shared: boolean
  asks_for_file: boolean
  priority: string | null
  tags: string[]
  estimate_minutes: number | null
  form_id: string | null
  form_structure: unknown
  item_type: number
  has_answers: boolean
  place: Place
}

type Own = Omit<ProjectRow, keyof StoredRow | 'row_kind' | 'ref' | 'tags' | 'place'>
type More = Own & {
  id: string
  template_ref: string | null
  tags: string[] | null
  position: number
  text: string
}

/** The rows of the plans of some projects, in their order, with what a template has of them. */
export async function projectRows(
  ctx: Context,
  plans: ReadonlyMap<string, StoredPlan>,
): Promise<Map<string, ProjectRow[]>> {
  const ids = [...plans.keys()]
  const columns = {
    milestones: sql`false as asks_for_file, null as priority, null as tags, null::integer as estimate_minutes, null as form_id,
      null::jsonb as form_structure, 0 as item_type, false as has_answers`,
    tasks: sql`t.asks_for_file, t.priority, t.tags, t.estimate_minutes, t.form_id, t.form_structure, t.item_type,
      coalesce(t.form_responses, '{}') <> '{}' as has_answers`,
  }
  const more = new Map<string, More>()
  for (const table of ['milestones', 'tasks'] as const) {
    const found = await ctx.all<More>(sql`
      select t.id, t.template_ref, t.description, t.is_shared, ${columns[table]},
        coalesce(t.position, 0) as position, ${sql.raw(textOf('t'))} as text
      from ${sql.table(table)} t
      where ${mine(ctx)} and t.project_id = any(${ids}::varchar[]) and t.deleted_at is null
      order by ${sql.raw(rankOf('t'))}, t.id`)
    for (const each of found) more.set(each.id, each)
  }
  return new Map(
    [...plans].map(([id, { milestones, tasks }]) => {
      const nameOf = numbered()
      const rowOf = (row_kind: 'milestone' | 'task') => (row: StoredRow) => {
        const { template_ref, tags, position, text, ...its } = more.get(row.id) ?? none
        const ref = template_ref === null ? null : nameOf(`${row_kind} ${template_ref}`)
        return { ...row, ...its, row_kind, ref, tags: tags ?? [], place: { position, text } }
      }
      return [id, [...milestones.map(rowOf('milestone')), ...tasks.map(rowOf('task'))]]
    }),
  )
}

const none = {
  template_ref: null,
  description: null,
  is_shared: false,
  asks_for_file: false,
  priority: null,
  tags: null,
  estimate_minutes: null,
  form_id: null,
  form_structure: null,
  item_type: 0,
  has_answers: false,
  position: 0,
  text: '',
}
