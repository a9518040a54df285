import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** What the connector asks first: whether its credentials work, and whose data it has. */
export const testConnection: Operation = {
  name: 'test_connection',
  summary: 'Check the credentials; gives the linked organization and the app',
  can: 'signed_in',
  writes: false,
  scope: null,
  input: {},
  output: {
    type: 'object',
    properties: {
      status: { type: 'string', const: 'success' },
      organisation: { type: 'string', description: 'the linked organization’s name' },
      id: { type: 'string', description: 'the app' },
    },
    required: ['status', 'organisation', 'id'],
  },
  run: async (ctx) => ({
    status: 'success',
    organisation: ctx.organization.name,
    id: ctx.actor.app!.id,
  }),
}

/** Ends the app's connection for the whole organization: nothing of it is left. */
export const invalidateConnection: Operation = {
  name: 'invalidate_connection',
  summary: 'Remove the connection of the app: its tokens, subscriptions and queued deliveries',
  can: 'signed_in',
  writes: true,
  scope: null,
  input: {},
  output: {
    type: 'object',
    properties: {
      status: { type: 'string', const: 'success' },
      deleted: {
        type: 'object',
        properties: {
          connections: { type: 'integer' },
          tokens: { type: 'integer' },
          subscriptions: { type: 'integer' },
          deliveries: { type: 'integer' },
        },
      },
    },
    required: ['status', 'deleted'],
  },
  async run(ctx) {
    const app = ctx.actor.app!
    const ours = sql`${mine(ctx)} and t.app_id = ${app.id}`
    const deliveries = await ctx.run(sql`delete from deliveries d using subscriptions t
      where ${ours} and d.organization_id = t.organization_id and d.subscription_id = t.id`)
    const subscriptions = await ctx.run(sql`delete from subscriptions t where ${ours}`)
    const tokens = await ctx.run(sql`delete from refresh_tokens t where ${ours}`)
    await ctx.run(sql`delete from authorization_codes t where ${ours}`)
    const connections = await ctx.run(sql`delete from grants t where ${ours}`)
    ctx.emit({
      type: null,
      title: `${app.name} disconnected`,
      module_id: null,
      reference_id: app.id,
      raw_description: { action: 'disconnected', module: 'apps', name: app.name },
    })
    ctx.forget()
    return { status: 'success', deleted: { connections, tokens, subscriptions, deliveries } }
  },
}
