import type { Context, Query } from '../ground/context.ts'
import { badField, Failure, notFound } from '../ground/errors.ts'
import type { Action } from '../ground/operation.ts'
import { definitions } from '../record/custom.ts'
import type { AnyRecord } from '../record/record.ts'
import type { Scoped } from '../record/scope.ts'
import { mayAll, scope } from '../record/scope.ts'
import { sql } from '../ground/sql.ts'
import { FilterCost } from './filter-cost.ts'
import { compiledWithTerms, filterRegistry } from './filter-registry.ts'
import { withIds } from './named-values.ts'

/**
 * Who sees and who changes a saved filter: private is its owner's, team the owner's line of
 * `reports_to` below and above, public everyone's; only the owner changes it, or who may change all.
 */
export const filterRights: Scoped = {
  module: 'filters',
  rights: { owners: ['created_by'], visible },
  life: { softDelete: true },
}

/**
 * The conditions and sort of a saved filter for a list of the record. 404 when there is none that
 * the caller sees, 400 when it is another module's.
 */
export async function savedFilter(
  ctx: Context,
  record: AnyRecord,
  id: string,
): Promise<{ conditions: unknown[]; sort: string | null }> {
  const found = await ctx.one<{ module: string; conditions: unknown[]; sort: string | null }>(sql`
    select t.module, t.conditions, t.sort from filters t
    where ${scope(ctx, filterRights, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Filter')
  const modules = record.find.filteredAs ?? [record.module]
  if (!modules.includes(found.module)) {
    throw badField('filter_id', `is a filter of ${found.module}, not of ${modules.join(' or ')}`)
  }
  return found
}

/**
 * Saved conditions, which find nothing where they name a custom field or a record that is gone: without them the list
 * would say something else. 400 for other conditions that a list of the caller would refuse.
 */
export async function compiledSaved(
  ctx: Context,
  record: AnyRecord,
  saved: unknown[],
  cost = new FilterCost(),
): ReturnType<typeof compiledWithTerms> {
  try {
    return await compiledWithTerms(ctx, record, saved, 'filter_id', cost)
  } catch (error) {
    if (!(await namesGone(ctx, record, saved))) throw error
    return { condition: sql`false`, groups: [] }
  }
}

async function namesGone(ctx: Context, record: AnyRecord, saved: unknown[]): Promise<boolean> {
  const known = await definitions(ctx, record.module)
  const custom = [...JSON.stringify(saved).matchAll(/"custom_fields\.([^"]+)"/g)]
  if (!custom.every(([, key = '']) => known.has(key))) return true
  try {
    await withIds(ctx, await filterRegistry(ctx, record), saved, 'filter_id')
    return false
  } catch (error) {
    if (error instanceof Failure && error.status === 400) return true
    throw error
  }
}

function visible(ctx: Context, action: Action): Query {
  const { actor, organization } = ctx
  const own = sql`t.created_by = ${actor.user_id}`
  if (action !== 'read' && !mayAll(actor, 'filters', action)) return own
  const above = sql`with recursive above (id) as (
      select u.reports_to from users u
      where u.organization_id = ${organization.id} and u.id = ${actor.user_id}
      union
      select u.reports_to from users u join above on u.id = above.id
      where u.organization_id = ${organization.id}
    ) select id from above`
  return sql`(${own} or t.visibility = 'public' or (t.visibility = 'team'
    and (t.created_by = any(${actor.team}) or t.created_by in (${above}))))`
}
