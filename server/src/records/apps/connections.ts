import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'

export const connection = Type.Object(
  {
    connection_id: Type.String(),
    app_id: Type.String(),
    app_name: Type.String(),
    description: orNull(Type.String()),
    scopes: arrayOf(Type.String()),
    user: Type.Object({ user_id: Type.String(), full_name: Type.String() }),
    subscriptions: Type.Integer({ description: 'its webhook subscriptions' }),
    creation_time: Type.String({ format: 'date-time' }),
    last_used_at: orNull(
      Type.String({ format: 'date-time', description: 'when its tokens were last renewed' }),
    ),
  },
  { title: 'ConnectedApp' },
)
const topic = 'apps'

/** Connected apps: one's own, and those of the whole organization for callers who manage apps. */
export const connections = {
  own: operation({
    name: 'list_connected_apps',
    summary: 'List your connected apps',
    description: 'Apps that act in your name, newest first.',
    topic,
    can: 'signed_in',
    writes: false,
    input: {},
    output: arrayOf(connection),
    run: (ctx) => listConnections(ctx, sql`t.user_id = ${ctx.actor.user_id}`),
  }),
  revokeOwn: operation({
    name: 'revoke_connected_app',
    summary: 'Disconnect one of your apps',
    description: 'Its tokens stop working at once, and its webhooks end.',
    topic,
    can: 'signed_in',
    writes: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params }) => revoke(ctx, params.id, sql`t.user_id = ${ctx.actor.user_id}`),
  }),
  list: operation({
    name: 'list_connections_of_organization',
    summary: 'List the connected apps of the organization',
    description: 'Newest first, at most 500.',
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(connection),
    run: (ctx) => listConnections(ctx),
  }),
  revoke: operation({
    name: 'revoke_connection_of_organization',
    summary: 'Disconnect an app of the organization',
    description: 'Its tokens stop working at once, and its webhooks end; its user is notified.',
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params }) => revoke(ctx, params.id),
  }),
}

/** Live connections, newest first, at most 500. */
export function listConnections(ctx: Context, condition?: Query) {
  return ctx.all(sql`
    select t.id as connection_id, t.app_id, a.name as app_name, a.description, t.scopes,
      json_build_object('user_id', u.id, 'full_name', u.full_name) as user,
      (select count(*)::int from subscriptions s where s.organization_id = $organization
        and s.grant_id = t.id) as subscriptions,
      t.creation_time,
      (select max(k.creation_time) from refresh_tokens k where k.organization_id = $organization
        and k.grant_id = t.id) as last_used_at
    from grants t
    join apps a on a.organization_id = $organization and a.id = t.app_id
    join users u on u.organization_id = $organization and u.id = t.user_id
    where ${all(mine(ctx), condition)} and t.revoked_at is null
    order by t.id desc limit 500`)
}

/** Ends a grant with its tokens and subscriptions; 404 if there is none, or it has ended. `entry` is the subject of the log entry. */
export async function revoke(
  ctx: Context,
  id: string,
  condition?: Query,
  entry = id,
): Promise<void> {
  const ended = await ctx.one<{ app_id: string; name: string; user_id: string }>(sql`
    update grants t set revoked_at = ${ctx.now().toISOString()} from apps a
    where ${all(mine(ctx), condition)} and t.id = ${id} and t.revoked_at is null
      and a.organization_id = $organization and a.id = t.app_id
    returning t.app_id, a.name, t.user_id`)
  if (!ended) throw notFound('Connection')
  await ctx.run(sql`delete from refresh_tokens t where ${mine(ctx)} and t.grant_id = ${id}`)
  const subscriptions = await ctx.run(sql`delete from subscriptions t
    where ${mine(ctx)} and t.grant_id = ${id}`)
  const { app_id, name, user_id } = ended
  const isOwn = user_id === ctx.actor.user_id
  await announce(ctx, { module: 'apps', word: 'app' }, 'disconnected', {
    id: entry,
    title: `${name} disconnected`,
    name,
    more: { app_id, connection_id: id, subscriptions, user_id },
    notify: isOwn
      ? []
      : [
          {
            user_id,
            notification_type: 9,
            title: `${name} was disconnected`,
            description: `By ${ctx.actor.full_name}`,
          },
        ],
  })
  ctx.forget()
}
