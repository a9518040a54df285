import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'

/** The first request of a connector: whether its credentials work, and whose data it has. */
export const testConnection = operation({
  name: 'test_connection',
  summary: 'Test the connection',
  description: 'Checks the credentials and returns the linked organization and the app.',
  can: 'signed_in',
  writes: false,
  scope: null,
  input: {},
  output: Type.Object(
    {
      status: Type.Literal('success'),
      organisation: Type.String({ description: 'the linked organization’s name' }),
      id: Type.String({ description: 'the app' }),
    },
    { title: 'Connection' },
  ),
  run: async (ctx) => ({
    status: 'success',
    organisation: ctx.organization.name,
    id: appOf(ctx).id,
  }),
})

/** Ends the app's connection for the whole organization and removes everything that belongs to it. */
export const invalidateConnection = operation({
  name: 'invalidate_connection',
  summary: 'Remove the connection',
  description: 'Deletes the tokens, subscriptions and queued deliveries of the app.',
  can: 'signed_in',
  writes: true,
  scope: null,
  input: {},
  output: Type.Object(
    {
      status: Type.Literal('success'),
      deleted: Type.Object({
        connections: Type.Integer(),
        tokens: Type.Integer(),
        subscriptions: Type.Integer(),
        deliveries: Type.Integer(),
      }),
    },
    { title: 'RemovedConnection' },
  ),
  async run(ctx) {
    const app = appOf(ctx)
    const ours = sql`${mine(ctx)} and t.app_id = ${app.id}`
    const deliveries = await ctx.run(sql`delete from deliveries d using subscriptions t
      where ${ours} and d.organization_id = $organization and d.subscription_id = t.id`)
    const subscriptions = await ctx.run(sql`delete from subscriptions t where ${ours}`)
    const tokens = await ctx.run(sql`delete from refresh_tokens t where ${ours}`)
    await ctx.run(sql`delete from authorization_codes t where ${ours}`)
    const connections = await ctx.run(sql`delete from grants t where ${ours}`)
    await announce(ctx, { module: 'apps', word: 'app' }, 'disconnected', {
      id: app.id,
      title: `${app.name} disconnected`,
      name: app.name,
    })
    ctx.forget()
    return { status: 'success', deleted: { connections, tokens, subscriptions, deliveries } }
  },
})

/** The app behind the caller; 403 for a person without one. */
function appOf({ actor }: Context) {
  if (!actor.app) throw forbidden('Only an app has a connection')
  return actor.app
}
