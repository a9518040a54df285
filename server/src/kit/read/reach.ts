import type { Context } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'
import type { AnyRecord } from '../record/record.ts'
import { mostCandidates } from './filter-candidates.ts'
import type { Group, Term } from './filter-terms.ts'

/**
 * What each row has that a confined caller may read, as terms, so that a list costs what they are attached to
 * and not what the organization has: 300,000 tasks took 0.6 s of each list. The rights decide about the rows
 * that these lead to. None for other callers, and where they are attached to too much.
 */
export async function reachOf(ctx: Context, record: AnyRecord): Promise<Group[]> {
  const { user_id: me, is_confined, is_external } = ctx.actor
  if (!is_confined || !record.reach || me === null) return []
  const { columns, lists, links } = record.reach(ctx)
  const queries = Object.entries(links).map(
    ([column, ids]) => sql`select ${column}::text as column, id from ${ids} ids`,
  )
  const linked = await ctx.all<{ column: string; id: string }>(
    sql`${sql.join(queries, sql` union all `)} limit ${mostCandidates + 1}`,
  )
  const own: Term[] = [
    ...columns.map((column): Term => [`${column}=`, me]),
    ...lists.map((column): Term => [`${column}[`, JSON.stringify(me)]),
  ]
  const attached = linked.map(({ column, id }): Term => [`${column}=`, id])
  const groups: Group[] = []
  if (linked.length <= mostCandidates) groups.push([{ terms: [...own, ...attached] }])
  if (record.isShareable && is_external) groups.push([{ terms: [...own, ['is_shared=', 'true']] }])
  return groups
}
