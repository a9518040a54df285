import type { Context, Permission } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { requireWholeToken } from '../../kit/record/scope.ts'
import { reaches } from '../../kit/write/cycle.ts'
import type { RoleKind } from './roles/permissions.ts'
import { beyond, confinedKinds } from './roles/permissions.ts'

/** The parts of a role that decide what its holders may do. */
export type Standing = { kind: RoleKind; permission: Permission }

/**
 * Serializes changes of people and roles per organization: the checks for the last admin, cycles in
 * `reports_to` and roles in use depend on several rows. Other writes do not wait.
 */
export async function lockPeople(ctx: Context) {
  await ctx.run(sql`select from organizations t where ${mine(ctx)} for no key update`)
}

/** The standing of a role; undefined if it is deleted or foreign. */
export function standingOf(ctx: Context, role_id: string): Promise<Standing | undefined> {
  return ctx.one<Standing>(sql`select kind, permission from roles t
    where ${mine(ctx)} and id = ${role_id} and deleted_at is null`)
}

/** The standing of a user's role; 409 if the role has been deleted. */
export async function currentStanding(ctx: Context, role_id: string): Promise<Standing> {
  const found = await standingOf(ctx, role_id)
  if (!found) throw conflict('The role of this user has been deleted', 'role_deleted')
  return found
}

/** The caller's current standing; null for the service itself, which may do anything. */
export async function callersStanding(ctx: Context): Promise<Standing | null> {
  const { role_id } = ctx.actor
  if (role_id === null) return null
  const found = await standingOf(ctx, role_id)
  if (!found) throw forbidden('Your role no longer exists')
  return found
}

/**
 * 403 for everybody except admins and the service itself, by the current role. Operations for admins only
 * belong to no module, so their tokens need the scope of all modules.
 */
export async function requireAdmin(ctx: Context, message: string): Promise<void> {
  requireWholeToken(ctx.actor)
  checkAdmin(await callersStanding(ctx), message)
}

function checkAdmin(held: Standing | null, message: string) {
  if (held && held.kind !== 'admin') throw forbidden(message, 'admins_only')
}

/**
 * 403 unless the caller has all permissions of a role: nobody can grant more than they have, and a personal access
 * token nothing beyond its scopes.
 */
export function checkHolds({ actor }: Context, held: Standing | null, granted: Standing) {
  checkExcess(held, granted)
  if (granted.kind === 'admin' || beyond(actor.permission, granted.permission)) {
    requireWholeToken(actor)
  }
}

function checkExcess(held: Standing | null, other: Standing) {
  const more = excess(held, other)
  if (more) throw forbidden(`This role allows more than yours does: ${more}`, 'more_than_held')
}

/** In words, what a standing allows that another one does not; undefined if nothing. */
function excess(held: Standing | null, granted: Standing): string | undefined {
  if (!held || held.kind === 'admin') return undefined
  if (granted.kind === 'admin') return 'it is an admin role'
  if (confinedKinds.includes(held.kind) && !confinedKinds.includes(granted.kind)) {
    return 'yours sees only what you are attached to'
  }
  return beyond(held.permission, granted.permission)
}

/** 403 if anyone but an admin changes an admin, or an admin role. */
export function checkTouches({ actor }: Context, held: Standing | null, touched: Standing) {
  if (touched.kind !== 'admin') return
  requireWholeToken(actor)
  checkAdmin(held, 'Only admins change admins and their roles')
}

/** The standing of a user whom the caller may remove or lock out; 403 for one with more rights. */
export async function checkTouchable(
  ctx: Context,
  { role_id }: { role_id: string },
): Promise<Standing> {
  const current = await currentStanding(ctx, role_id)
  const held = await callersStanding(ctx)
  checkTouches(ctx, held, current)
  checkExcess(held, current)
  return current
}

/** 403 if a confined caller would give others, or themselves, access to another account. */
export function checkAccount({ actor }: Context, account_id: unknown) {
  if (!actor.is_confined || account_id === undefined || account_id === null) return
  if (account_id !== actor.account_id) {
    throw forbidden('Your role is tied to its own account', 'more_than_held')
  }
}

/** 409 unless somebody else remains an active admin. Called under `lockPeople`, before the change. */
export async function requireAnAdmin(
  ctx: Context,
  leaving: { user_id?: string; role_id?: string },
) {
  const other = await ctx.one(sql`
    select 1 from users t join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and r.kind = 'admin' and t.is_active and t.deleted_at is null
      and t.id <> ${leaving.user_id ?? ''} and r.id <> ${leaving.role_id ?? ''} limit 1`)
  if (!other) {
    throw conflict('This is the last active admin: make somebody else admin first', 'last_admin')
  }
}

/** 400 if a new `reports_to` would create a cycle. */
export async function checkNoCycle(ctx: Context, user_id: string, reports_to: string) {
  const isCycle = await reaches(ctx, { table: 'users', column: 'reports_to' }, reports_to, [
    user_id,
  ])
  if (isCycle) {
    throw badField('reports_to', 'would create a cycle: that person reports to this one')
  }
}
