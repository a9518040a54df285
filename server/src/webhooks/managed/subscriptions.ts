import type { Context, Query } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound, stale } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { equal } from '../../kit/ground/object.ts'
import type { Action } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { requireWholeToken, scope } from '../../kit/record/scope.ts'
import { findApp } from '../../records/apps/manage.ts'
import { subscriptionKey } from '../../records/apps/subscription-key.ts'
import type { EventName } from '../catalogue.ts'
import { scopesFor } from '../catalogue.ts'
import { choiceOf } from '../choice.ts'
import { checkEvents, checkProject, logSubscription } from '../subscription.ts'

/** A subscription is owned by its user; for those of others the right to `apps` is needed. */
export const Subscription = {
  module: 'apps',
  rights: { owners: ['user_id'] },
  life: { softDelete: false },
}

/** The number of newest deliveries that a subscription's counts include. */
export const recent = 100

/** A subscription as people see it. */
export type Shown = {
  subscription_id: string
  app: { app_id: string; name: string }
  user: { user_id: string; full_name: string }
  is_own: boolean
  events: EventName[]
  url: string
  name: string | null
  project_id: string | null
  where: unknown[] | null
  fields: string[] | null
  status: 'active' | 'disabled'
  health: { [name: string]: unknown }
  previous_secret_until: string | null
  creation_time: string
  version: number
}

/** A subscription for which the caller has this right; 404 for others. */
export async function findSubscription(ctx: Context, id: string, action: Action): Promise<Shown> {
  const condition = all(scope(ctx, Subscription, action), sql`t.id = ${id}`)
  const [found] = await shown(ctx, condition, 1)
  if (!found) throw notFound('Subscription')
  return found
}

/** Subscriptions that meet a condition over `t`, newest first. */
export function shown(ctx: Context, condition: Query | undefined, limit: number): Promise<Shown[]> {
  const counted = ['pending', 'delivered', 'failing', 'exhausted', 'dropped']
  const counts = counted.map(
    (status) => sql`${status}::text, count(*) filter (where d.status = ${status})`,
  )
  return ctx.all<Shown>(sql`
    select t.id as subscription_id,
      json_build_object('app_id', a.id, 'name', a.name) as app,
      json_build_object('user_id', u.id, 'full_name', u.full_name) as user,
      t.user_id = ${ctx.actor.user_id} as is_own, t.events, t.url, t.name, t.project_id,
      t.conditions as "where", t.fields, t.status,
      (select json_build_object(
          'state', case when t.status = 'disabled' then 'disabled'
            when t.paused_until > now() then 'paused'
            when t.failing_since is not null then 'failing'
            when count(*) = 0 then 'unused' else 'healthy' end,
          'failing_since', ${utc(sql`t.failing_since`)}, 'failures', t.failures,
          'dropped_deliveries', t.dropped_deliveries,
          'paused_until', ${utc(sql`case when t.paused_until > now() then t.paused_until end`)},
          'last_delivered_at', ${utc(sql`max(d.delivered_at)`)},
          'next_attempt_at', ${utc(sql`min(d.next_attempt_at)
            filter (where d.status in ('pending', 'failing'))`)},
          ${sql.join(counts)})
        from (select d.status, d.delivered_at, d.next_attempt_at from deliveries d
          where d.organization_id = $organization and d.subscription_id = t.id
          order by d.id desc limit ${recent}) d) as health,
      case when t.previous_until > ${ctx.now().toISOString()} then t.previous_until end
        as previous_secret_until,
      t.creation_time, t.version
    from subscriptions t
    join apps a on a.organization_id = $organization and a.id = t.app_id
    join users u on u.organization_id = $organization and u.id = t.user_id
    where ${condition} order by t.id desc limit ${limit}`)
}

/** An instant inside a JSON object, written as those outside are. */
function utc(instant: Query): Query {
  return sql`to_char((${instant}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** The same, locked; 412 if versions are named and it has none of them. */
export async function lockSubscription(
  ctx: Context,
  id: string,
  action: Action,
  versions?: number[],
) {
  await ctx.one(sql`select from subscriptions t
    where ${all(scope(ctx, Subscription, action), sql`t.id = ${id}`)} for update`)
  const found = await findSubscription(ctx, id, action)
  if (versions && !versions.includes(found.version)) throw stale()
  return found
}

/**
 * One of the caller's own subscriptions; 403 for another one that they may manage, and for a personal access token
 * with fewer rights than its user: deliveries show what the user may see, even after the token has ended.
 */
export async function ownSubscription(ctx: Context, id: string): Promise<Shown> {
  const found = await findSubscription(ctx, id, 'update')
  requireWholeToken(ctx.actor)
  if (found.is_own) return found
  const { full_name } = found.user
  throw forbidden(
    `Its deliveries show what ${full_name} may see: only they may change where it goes`,
  )
}

/** An app connected by the caller that has a scope for each event. */
export async function usableApp(ctx: Context, id: string, names: EventName[]) {
  const app = await findApp(ctx, id, 'read').catch(() => undefined)
  if (!app) throw badField('app_id', 'is not an app of the organization')
  checkEvents(ctx, names, app.scopes)
  return app
}

/**
 * The caller's connection of an app that may read the events; created if there is none. 403 for a personal
 * access token with fewer rights than its user, as in `ownSubscription`.
 */
export async function ownGrant(
  ctx: Context,
  { app_id, scopes }: { app_id: string; scopes: string[] },
  names: EventName[],
): Promise<string> {
  requireWholeToken(ctx.actor)
  const { user_id } = ctx.actor
  const grants = await ctx.all<{ id: string; scopes: string[] }>(sql`
    select t.id, t.scopes from grants t
    where ${mine(ctx)} and t.app_id = ${app_id} and t.user_id = ${user_id} and t.revoked_at is null
    order by t.id desc limit 100`)
  const reads = ({ scopes: held }: { scopes: string[] }) =>
    names.every((each) => scopesFor(each).some((word) => held.includes(word)))
  const found = grants.find(reads)
  if (found) return found.id
  const id = newId()
  await ctx.run(sql`
    insert into grants (organization_id, id, app_id, user_id, scopes, creation_time)
    values (${ctx.organization.id}, ${id}, ${app_id}, ${user_id}, ${JSON.stringify(scopes)},
      ${ctx.now().toISOString()})`)
  return id
}

/** The id of a project or deal that the caller sees; null if none is named, 400 for others. */
export async function projectIn(
  ctx: Context,
  id: string | null | undefined,
): Promise<string | null> {
  if (!id) return null
  await checkProject(ctx, id).catch(() => {
    throw badField('project_id', 'is not a project or deal that you can see')
  })
  return id
}

/** The properties of a subscription that its user may change. */
type Changed = {
  events?: EventName[]
  url?: string
  name?: string | null
  project_id?: string | null
  where?: unknown
  fields?: unknown
}

type ReaderApp = { app_id: string; name: string; client_id: string; scopes: string[] }

/** The caller as the reader of the deliveries: with the scopes of the app. */
export function readerThrough(
  ctx: Context,
  { app_id, name, client_id, scopes }: ReaderApp,
): Context {
  const app = { id: app_id, name, client_id, grant_id: '', scopes }
  return { ...ctx, actor: { ...ctx.actor, app } }
}

/** Changes the properties in a body of one's own subscription. */
export async function change(
  ctx: Context,
  id: string,
  body: Changed,
  versions?: number[],
): Promise<Shown> {
  await ownSubscription(ctx, id)
  const before = await lockSubscription(ctx, id, 'update', versions)
  const after = { ...before, ...settable(body) }
  const app = await findApp(ctx, before.app.app_id, 'read')
  const choice = await choiceOf(readerThrough(ctx, app), after.events, body, {
    conditions: before.where,
    fields: before.fields,
  })
  ;[after.where, after.fields] = [choice.conditions, choice.fields]
  const changes = differences(before, after)
  if (equal(before, after)) return before
  if (!equal(before.events, after.events)) await usableApp(ctx, before.app.app_id, after.events)
  if (after.project_id !== before.project_id) await projectIn(ctx, after.project_id)
  const grant_id = await grantFor(ctx, id, before, after)
  const unique_key = subscriptionKey({
    app_id: before.app.app_id,
    user_id: before.user.user_id,
    url: after.url,
    events: after.events,
    project_id: after.project_id,
    ...choice,
  })
  const same = await ctx.one<{ id: string }>(sql`select t.id from subscriptions t
    where ${mine(ctx)} and t.unique_key = ${unique_key} and t.id <> ${id}`)
  if (same) {
    const data = { subscription_id: same.id }
    throw conflict('The same subscription already exists', 'duplicate', data)
  }
  await ctx.run(sql`update subscriptions t set events = ${after.events}, url = ${after.url},
      name = ${after.name}, project_id = ${after.project_id}, unique_key = ${unique_key}, grant_id = ${grant_id},
      conditions = ${choice.conditions && JSON.stringify(choice.conditions)}::jsonb,
      fields = ${choice.fields},
      version = t.version + 1
    where ${mine(ctx)} and t.id = ${id}`)
  await log(ctx, after, 'changed', changes)
  ctx.forget()
  return findSubscription(ctx, id, 'update')
}

/** The connection through which a changed subscription reads; another one if its events need it. */
async function grantFor(ctx: Context, id: string, before: Shown, after: Shown): Promise<string> {
  if (equal(before.events, after.events)) {
    const row = await ctx.one<{ grant_id: string }>(
      sql`select t.grant_id from subscriptions t where ${mine(ctx)} and t.id = ${id}`,
    )
    if (row) return row.grant_id
  }
  const app = await findApp(ctx, before.app.app_id, 'read')
  return ownGrant(ctx, app, after.events)
}

/** The changes in a body; an empty project means none. */
function settable(body: Changed) {
  return {
    ...(body.events === undefined ? {} : { events: body.events }),
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.name === undefined ? {} : { name: body.name?.trim() || null }),
    ...(body.project_id === undefined ? {} : { project_id: body.project_id || null }),
  }
}

/** Enables a subscription, or disables it and drops its waiting deliveries. */
export async function setStatus(ctx: Context, id: string, status: Shown['status']): Promise<Shown> {
  const before = await lockSubscription(ctx, id, 'update')
  const isPaused = status === 'active' && before.health.paused_until !== null
  if (before.status === status && !isPaused) return before
  await ctx.run(sql`update subscriptions t set status = ${status}, paused_until = null,
      failing_since = ${isPaused ? sql`t.failing_since` : sql`null`},
      failures = ${isPaused ? sql`t.failures` : sql`0`}, version = t.version + 1
    where ${mine(ctx)} and t.id = ${id}`)
  if (isPaused) {
    ctx.afterCommit(() => ctx.services.webhooks.wake(ctx.organization.id))
    return findSubscription(ctx, id, 'update')
  }
  if (status === 'disabled') {
    await ctx.run(sql`update deliveries d set status = 'exhausted', error = 'disabled',
        leased_until = null
      where d.organization_id = ${ctx.organization.id} and d.subscription_id = ${id}
        and d.status in ('pending', 'failing')`)
  }
  const action = status === 'disabled' ? 'disabled' : 'enabled'
  await log(ctx, before, action, [{ field: 'status', from: before.status, to: status }])
  ctx.forget()
  return findSubscription(ctx, id, 'update')
}

/** Adds an entry to the activity log. */
export function log(
  ctx: Context,
  { subscription_id: id, url: to, events: names }: Shown,
  action: string,
  changes: Change[],
) {
  return logSubscription(ctx, { id, url: to, events: names }, action, changes)
}

/** The changes for the log: of the URL only the host, since the rest may contain a secret. */
export function differences(before: Shown, after: Shown | undefined): Change[] {
  const logged = (of: Shown | undefined) => ({
    events: of?.events ?? null,
    host: of ? new URL(of.url).host : null,
    name: of?.name ?? null,
    project_id: of?.project_id ?? null,
    where: of?.where ?? null,
    fields: of?.fields ?? null,
  })
  const [from, to] = [logged(before), logged(after)]
  return (Object.keys(from) as (keyof typeof from)[])
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter((each) => !equal(each.from, each.to))
}
