import type { Context, Query } from '../ground/context.ts'
import { badField, notFound } from '../ground/errors.ts'
import type { Action } from '../ground/operation.ts'
import type { AnyRecord } from '../record/record.ts'
import type { Scoped } from '../record/scope.ts'
import { mayAll, scope } from '../record/scope.ts'
import { sql } from '../ground/sql.ts'

/**
 * Who sees and who changes a saved filter: private is its owner's, team the owner's line of
 * `reports_to` below and above, public everyone's; only the owner changes it, or who may change all.
 */
export const filterRights: Scoped = {
  module: 'filters',
  owners: ['created_by'],
  softDelete: true,
  visible,
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
  const modules = record.filteredAs ?? [record.module]
  if (!modules.includes(found.module)) {
    throw badField('filter_id', `is a filter of ${found.module}, not of ${modules.join(' or ')}`)
  }
  return found
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
