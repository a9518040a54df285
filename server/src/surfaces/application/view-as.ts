import type { FastifyRequest } from 'fastify'
import { Failure, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { loadActor } from '../../records/users/actor.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { inTransaction } from '../../runtime.ts'

/** The header by which an administrator reads as another user. */
export const viewAsHeader = 'x-view-as'

/**
 * The caller for whom a request is answered: with `X-View-As: <user_id>` that user, so that the read
 * shows exactly what theirs would. Only for administrators and reads, and logged once an
 * hour for each user. 403 for everybody else and for writes, 404 for a user who cannot sign in.
 */
export async function viewedAs(
  runtime: Runtime,
  request: FastifyRequest,
  caller: Caller,
  operation: Operation,
): Promise<Caller> {
  const header = request.headers[viewAsHeader]
  if (header === undefined) return caller
  requireViewer(caller)
  if (!['GET', 'HEAD'].includes(request.method) || operation.writes || operation.isSecret) {
    throw viewAsReadsOnly()
  }
  return viewAs(runtime, caller, String(header))
}

/** A user as whom an administrator reads: 403 for everybody else, 404 for a user who cannot sign in. */
export async function viewAs(runtime: Runtime, caller: Caller, user: string): Promise<Caller> {
  requireViewer(caller)
  const { organization } = caller
  const found = await runtime.cache.get(organization.id, `view as ${user}`, () =>
    loadActor(runtime.database.reads(organization.id), organization.id, user),
  )
  if (!found?.is_active) throw notFound('User')
  await noteView(runtime, caller, { user, name: found.actor.full_name })
  return { ...caller, actor: found.actor, isViewing: true }
}

/** 403 for whoever may not read as another user: all but administrators in a session. */
export function requireViewer({ actor }: Pick<Caller, 'actor'>): void {
  if (!actor.is_admin || actor.access_token) throw viewAsRefused()
}

/** 403 for a write while somebody reads as another user. */
export function viewAsReadsOnly() {
  return new Failure(403, 'view_as_read_only', 'With X-View-As only records are read')
}

/** 403 for callers who may not read as another user. */
export function viewAsRefused() {
  return forbidden('Only administrators may read as another user', 'view_as_not_allowed')
}

const hour = 3_600_000
/** When a view was last logged, by viewer and user; entries of other processes are looked up. */
const noted = new Map<string, number>()

async function noteView(
  runtime: Runtime,
  caller: Caller,
  { user, name }: { user: string; name: string },
) {
  const now = +runtime.now()
  const viewer = caller.actor.user_id ?? ''
  const key = [caller.organization.id, viewer, user].join(' ')
  if ((noted.get(key) ?? 0) > now - hour) return
  await inTransaction(runtime, caller, async (ctx) => {
    const since = new Date(now - hour).toISOString()
    const before = await ctx.one(sql`select t.id from events t
      where ${mine(ctx)} and t.module_id = ${UserProfile.number} and t.reference_id = ${user}
        and t.actor_id = ${viewer} and t.raw_description ->> 'action' = 'viewed_as'
        and t.occurred_at > ${since} limit 1`)
    if (before) return
    const title = `${caller.actor.full_name} looked at what ${name} sees`.slice(0, 255)
    await announce(ctx, UserProfile, 'viewed_as', { id: user, name, title })
  })
  if (noted.size > 10_000) noted.clear()
  noted.set(key, now)
}
