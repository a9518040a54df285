import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { CalendarEvent } from './event.ts'
import type { Problem, Remote, RemoteCalendar } from './remote.ts'
import { RemoteError } from './remote.ts'

/** Which of a user's two connections it is: the flag of meetings that are pushed there. */
export type Slot = 'a' | 'b'
export const kinds = ['caldav', 'google', 'microsoft'] as const
export type Kind = (typeof kinds)[number]

/** What is read of the other meetings of a calendar. */
export const readings = ['nothing', 'busy', 'events'] as const
export type Reading = (typeof readings)[number]

/** A connection as the database has it, with its secret decrypted. */
export type Connection = {
  id: string
  user_id: string
  slot: Slot
  kind: Kind
  address: string | null
  account: string | null
  secret: Secret
  calendars: RemoteCalendar[]
  calendar_ref: string | null
  reads: Reading
  sync_token: string | null
  failures: number
  error: Problem | null
}

/** What only the server knows besides its person: the password, or the tokens of a provider. */
export type Secret = { password: string } | Tokens

/** The tokens of a provider; the first lives until `expires_at`, in milliseconds. */
export type Tokens = { access_token: string; refresh_token: string; expires_at: number }

/** What is on both sides, and how both were when they were last the same. */
export type Copy = {
  id: string
  calendar_id: string | null
  href: string
  part: string
  uid: string
  etag: string | null
  is_ours: boolean
  state: 'live' | 'cancelled' | 'dismissed'
  version: number | null
  ours: CalendarEvent | null
  theirs: CalendarEvent | null
}

type Stored = Omit<Connection, 'secret'> & { secret: Buffer }

/** The columns of a connection, over `t`. */
export const connectionColumns = sql`t.id, t.user_id, t.slot, t.kind, t.address, t.account, t.secret, t.calendars,
  t.calendar_ref, t.reads, t.sync_token, t.failures, t.error`

/** A stored connection with its secret in the clear. */
export function opened(ctx: Context, { secret, ...stored }: Stored): Connection {
  return { ...stored, secret: JSON.parse(ctx.secrets.decrypt(secret)) as Secret }
}

/** The server of a connection; `keep` stores tokens that are given anew. */
export async function remoteOf(
  ctx: Context,
  connection: Pick<Connection, 'kind' | 'address' | 'account' | 'secret'>,
  keep: (secret: Secret) => Promise<void>,
): Promise<Remote> {
  const { kind, address, account, secret } = connection
  // each is loaded when a calendar of its kind is synchronized
  if (!('password' in secret)) {
    if (kind === 'caldav') throw new RemoteError('credentials', 'There is no password')
    const { tokenRequests } = await import('./oauth.ts')
    const requests = tokenRequests(ctx, kind, secret, keep)
    if (kind === 'google') return (await import('./google.ts')).google(ctx, requests)
    return (await import('./microsoft.ts')).microsoft(ctx, requests)
  }
  const { caldav } = await import('./caldav.ts')
  return caldav(ctx, {
    address: address ?? '',
    account: account ?? '',
    password: secret.password,
  })
}

/** How long a job holds a connection without a sign of life, in seconds. */
const leaseSeconds = 90

/**
 * Takes a connection for a job; undefined if its server wants no requests yet, for which another job is enqueued, or if
 * another job has it, which then looks again before it ends. A job that died takes it back when it runs again.
 */
export async function takeConnection(
  ctx: Context,
  id: string,
  job: string,
): Promise<Connection | undefined> {
  const free = sql`(t.lease_job is null or t.lease_job = ${job} or t.lease_until < now())`
  const found = await ctx.one<Stored & { lease_job: string }>(sql`
    update calendar_connections t set
      again = not ${free},
      lease_job = case when ${free} then ${job} else t.lease_job end,
      lease_until = case when ${free} then now() + make_interval(secs => ${leaseSeconds})
        else t.lease_until end
    where ${mine(ctx)} and t.id = ${id}
      and (t.wait_until is null or t.wait_until <= ${ctx.now().toISOString()})
    returning ${connectionColumns}, t.lease_job`)
  if (found?.lease_job !== job) return undefined
  return opened(ctx, found)
}

/** Goes on holding a connection; throws if it was taken by another job, disconnected or set anew. */
export async function holdConnection(ctx: Context, id: string, job: string): Promise<void> {
  const held = await ctx.run(sql`update calendar_connections t
    set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job}`)
  if (!held) throw new LeaseLost()
}

/** Stores what a provider gave anew, unless the connection was disconnected or set anew meanwhile. */
export async function keepSecret(
  ctx: Context,
  id: string,
  job: string,
  secret: Secret,
): Promise<void> {
  await ctx.run(sql`update calendar_connections t
    set secret = ${ctx.secrets.encrypt(JSON.stringify(secret))}
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job}`)
}

/** Another job synchronizes the connection now, or it was disconnected. */
export class LeaseLost extends Error {}

/** Ends a synchronization that came through; false where something has happened since it looked. */
export async function leaveConnection(ctx: Context, id: string, job: string): Promise<boolean> {
  const left = await ctx.run(sql`update calendar_connections t
    set lease_job = null, lease_until = null, synced_at = ${ctx.now().toISOString()},
      error = null, error_since = null, failures = 0, wait_until = null
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job} and not t.again`)
  if (left) return true
  const again = await ctx.run(sql`update calendar_connections t set again = false
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job}`)
  return !again
}
