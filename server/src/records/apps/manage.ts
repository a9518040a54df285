import type { Context, Query } from '../../kit/ground/context.ts'
import { badField, conflict, notFound, stale } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { equal } from '../../kit/ground/object.ts'
import type { Action } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { randomToken } from '../../secrets.ts'
import type { AppRequest } from './app.ts'
import { checked } from './app.ts'

/** How the log names an app, and the permission that decides about it. */
const entries = { module: 'apps', word: 'app' }
/** Whoever created an app owns it; nobody owns those that the operator issued. */
const App = {
  module: 'apps',
  rights: { owners: ['created_by'] },
  life: { softDelete: false },
}

/** The maximum number of apps that an organization may create itself. */
export const mostApps = 500

/** An app as reads show it; its secrets are shown only when they are created. */
export type ShownApp = {
  app_id: string
  name: string
  description: string | null
  client_id: string
  redirect_uris: string[]
  scopes: string[]
  endpoints: string[]
  standard_authorize: boolean
  is_dynamic: boolean
  is_listed: boolean
  require_client_auth_on_refresh: boolean
  connections: number
  subscriptions: number
  creation_time: string
  last_update_time: string
  version: number
}

type Secrets = { client_secret: string | null; function_key: string | null }

/** The apps that the caller may read, newest first. */
export function listApps(ctx: Context): Promise<ShownApp[]> {
  return shown(ctx, scope(ctx, App, 'read'))
}

/** An app for which the caller has this right; 404 for others. */
export async function findApp(ctx: Context, id: string, action: Action): Promise<ShownApp> {
  const [found] = await shown(ctx, all(scope(ctx, App, action), sql`t.id = ${id}`))
  if (!found) throw notFound('App')
  return found
}

/** The same, locked for a change; 412 if versions are named and it has none of them, 409 if the operator lists it. */
async function lockApp(ctx: Context, id: string, action: Action, versions?: number[]) {
  await ctx.one(sql`select from apps t
    where ${all(scope(ctx, App, action), sql`t.id = ${id}`)} for update`)
  const found = await findApp(ctx, id, action)
  if (versions && !versions.includes(found.version)) throw stale()
  if (found.is_listed) {
    const message = 'Every organization may connect this app: the operator changes it'
    throw conflict(message, 'listed_app')
  }
  return found
}

/** Issues an app with new credentials. 409 for the name of another app of the organization. */
export async function createApp(ctx: Context, body: AppRequest): Promise<ShownApp & Secrets> {
  const app = checked(body)
  await lockNames(ctx)
  await checkName(ctx, app.name)
  const [count] = await ctx.all<{ apps: number }>(
    sql`select count(*)::int as apps from apps t where ${mine(ctx)}`,
  )
  if ((count?.apps ?? 0) >= mostApps) {
    throw conflict(`An organization has at most ${mostApps} apps`, 'too_many_apps')
  }
  const id = newId()
  const secrets = newSecrets()
  const row = stored(app)
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  await ctx.run(sql`insert into apps (organization_id, id, client_id, client_secret,
      function_key_hash, created_by, ${names})
    values (${ctx.organization.id}, ${id}, ${randomToken('app_').slice(0, 30)},
      ${ctx.secrets.encrypt(secrets.client_secret)}, ${ctx.secrets.hash(secrets.function_key)},
      ${ctx.actor.user_id}, ${sql.join(Object.values(row))})`)
  await announce(ctx, entries, 'created', {
    id,
    name: app.name,
    changes: differences({}, app),
  })
  ctx.forget()
  return { ...(await any(ctx, id)), ...secrets }
}

/** Changes the properties of an app that a body contains. */
export async function updateApp(
  ctx: Context,
  id: string,
  body: Partial<AppRequest>,
  versions?: number[],
): Promise<ShownApp> {
  await lockNames(ctx)
  const found = await lockApp(ctx, id, 'update', versions)
  const before = declared(found)
  const after = checked({ ...before, ...body })
  const added = after.scopes.filter((each) => !before.scopes.includes(each))
  if (added.length && (await isOfListed(ctx, id))) {
    throw badField('scopes', `cannot have ${added.join(', ')} again: remove the app and connect it`)
  }
  const changes = differences(before, after)
  if (!changes.length) return found
  if (after.name !== before.name) await checkName(ctx, after.name)
  const row = stored(after)
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  await ctx.run(sql`update apps t set (${names}) = row(${sql.join(Object.values(row))}),
      last_update_time = ${ctx.now().toISOString()}, version = t.version + 1
    where ${mine(ctx)} and t.id = ${id}`)
  await announce(ctx, entries, 'updated', { id, name: after.name, changes })
  ctx.forget()
  return any(ctx, id)
}

/** Replaces the secrets of an app, all unless a body excludes some; the old ones are invalid with the commit. */
export async function rotateSecrets(
  ctx: Context,
  id: string,
  which: { client_secret?: boolean; function_key?: boolean },
): Promise<ShownApp & Secrets> {
  const { client_secret = true, function_key = true } = which
  if (!client_secret && !function_key) {
    throw badField('client_secret', 'must be true, or function_key must be')
  }
  const found = await lockApp(ctx, id, 'update')
  if (found.is_dynamic) {
    throw conflict('This app has no secrets: nobody issued it', 'no_secrets')
  }
  const made = newSecrets()
  const secret = client_secret ? ctx.secrets.encrypt(made.client_secret) : null
  const key = function_key ? ctx.secrets.hash(made.function_key) : null
  await ctx.run(sql`update apps t set version = t.version + 1,
      last_update_time = ${ctx.now().toISOString()},
      client_secret = coalesce(${secret}, t.client_secret),
      function_key_hash = coalesce(${key}, t.function_key_hash)
    where ${mine(ctx)} and t.id = ${id}`)
  await announce(ctx, entries, 'rotated', {
    id,
    name: found.name,
    title: `Secrets of ${found.name} rotated`,
    more: { client_secret, function_key },
  })
  ctx.forget()
  return {
    ...(await any(ctx, id)),
    client_secret: client_secret ? made.client_secret : null,
    function_key: function_key ? made.function_key : null,
  }
}

/** Removes an app and everything that belongs to it; its users are notified. */
export async function removeApp(ctx: Context, id: string, versions?: number[]): Promise<void> {
  const found = await lockApp(ctx, id, 'delete', versions)
  const { name, connections, subscriptions } = found
  const users = await ctx.all<{ user_id: string }>(sql`select distinct t.user_id from grants t
    where ${mine(ctx)} and t.app_id = ${id} and t.revoked_at is null limit 500`)
  await ctx.run(sql`delete from deliveries d using subscriptions t
    where ${mine(ctx)} and t.app_id = ${id} and d.organization_id = $organization
      and d.subscription_id = t.id`)
  await ctx.run(sql`delete from apps t where ${mine(ctx)} and t.id = ${id}`)
  await announce(ctx, entries, 'deleted', {
    id,
    name,
    changes: differences(declared(found), {}),
    more: { connections, subscriptions },
    notify: users
      .filter(({ user_id }) => user_id !== ctx.actor.user_id)
      .map(({ user_id }) => ({
        user_id,
        notification_type: 9,
        title: `${name} was disconnected`,
        description: `${ctx.actor.full_name} deleted the app`,
      })),
  })
  ctx.forget()
}

function shown(ctx: Context, condition: Query): Promise<ShownApp[]> {
  return ctx.all<ShownApp>(sql`
    select t.id as app_id, t.name, t.description, t.client_id, t.redirect_uris, t.scopes, t.endpoints,
      t.standard_authorize, t.is_dynamic, t.is_listed, t.require_client_auth_on_refresh,
      (select count(*)::int from grants g where g.organization_id = $organization
        and g.app_id = t.id and g.revoked_at is null) as connections,
      (select count(*)::int from subscriptions s where s.organization_id = $organization
        and s.app_id = t.id) as subscriptions,
      t.creation_time, t.last_update_time, t.version
    from apps t where ${condition} order by t.id desc limit ${mostApps}`)
}

async function any(ctx: Context, id: string): Promise<ShownApp> {
  const [app] = await shown(ctx, sql`${mine(ctx)} and t.id = ${id}`)
  if (!app) throw new Error('an app that was just written is there')
  return app
}

/** The lock that the operator's commands take, too, when they look up an app by its name. */
export async function lockNames(ctx: Context) {
  await ctx.one(sql`select pg_advisory_xact_lock(hashtextextended('perennial apps', 0))::text`)
}

/** Whether it is what this organization has of an app that the operator lists, whose scopes only become fewer. */
async function isOfListed(ctx: Context, id: string): Promise<boolean> {
  const found = await ctx.one(sql`select from apps t
    where ${mine(ctx)} and t.id = ${id} and t.listed_in is not null`)
  return Boolean(found)
}

async function checkName(ctx: Context, name: string) {
  const other = await ctx.one<{ id: string }>(
    sql`select t.id from apps t
      where ${mine(ctx)} and t.name = ${name} and not t.is_dynamic limit 1`,
  )
  if (!other) return
  const data = { app_id: other.id }
  throw conflict(`An app with the name ${name} already exists`, 'duplicate', data)
}

type Declared = ReturnType<typeof checked>

function declared(app: ShownApp): Declared {
  const { name, description, scopes, redirect_uris, endpoints } = app
  const { require_client_auth_on_refresh, standard_authorize } = app
  const lists = { scopes, redirect_uris, endpoints }
  return { name, description, ...lists, require_client_auth_on_refresh, standard_authorize }
}

function stored({ scopes, redirect_uris, endpoints, ...rest }: Declared) {
  return {
    ...rest,
    scopes: JSON.stringify(scopes),
    redirect_uris: JSON.stringify(redirect_uris),
    endpoints: JSON.stringify(endpoints),
  }
}

export function newSecrets() {
  return { client_secret: randomToken('psk_'), function_key: randomToken('pfk_') }
}

function differences(before: Partial<Declared>, after: Partial<Declared>): Change[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Declared>
  return [...fields]
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !equal(from, to))
}
