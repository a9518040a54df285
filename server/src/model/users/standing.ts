import type { Context, Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { confinedKinds } from './roles/permissions.ts'

/** Whether the caller may change admins and their roles, as a condition; see `checkTouches`. */
export function mayTouchAdmins({ actor }: Context): Query {
  return actor.is_admin && actor.access_token?.isWhole !== false ? sql`true` : sql`false`
}

/** Whether a role `r` allows more than the caller's own, as a condition; see `checkTouchable`. */
export function allowsMore(ctx: Context): Query {
  const { actor } = ctx
  const isAdmin = sql`(r.kind = 'admin' and not ${mayTouchAdmins(ctx)})`
  if (actor.is_admin) return isAdmin
  const seesMore = actor.is_confined ? sql`not r.kind = any(${confinedKinds})` : sql`false`
  return sql`(${isAdmin} or ${seesMore} or exists (
    select from jsonb_each(r.permission) m, jsonb_each_text(m.value) a
    where ${rank(sql`a.value`)} > ${rank(sql`coalesce((select h.permission from roles h
      where h.organization_id = $organization and h.id = ${actor.role_id}) -> m.key ->> a.key, 'none')`)}))`
}

function rank(level: Query): Query {
  return sql`array_position(array['none', 'own', 'team', 'all'], ${level})`
}
