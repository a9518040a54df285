import { Type } from 'typebox'
import { byId, crud, pageQuery } from '../../kit/crud.ts'
import { extend, without } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import { lock, update, written } from '../../kit/write/write.ts'
import { createBody, createNotification } from './create.ts'
import { Notification } from '../../model/notifications/notification.ts'
import {
  categories,
  preferencesBody,
  preferencesSchema,
  readPreferences,
  updatePreferences,
} from './preferences.ts'
import { ownNotifications } from '../../model/notifications/visible.ts'

const plain = crud(Notification)
const can = 'signed_in' as const
const topic = 'notifications'

export const notifications = {
  list: operation({
    ...plain.list,
    can,
    topic,
    input: {
      query: extend(without(pageQuery(true), 'filter', 'filter_id'), {
        read: Type.Optional(Type.Boolean()),
        category: Type.Optional(Type.String({ maxLength: 60, description: categories.join(', ') })),
        notification_type: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      }),
    },
    run(ctx, { query }) {
      const only = (['read', 'category', 'notification_type'] as const)
        .filter((name) => query[name] !== undefined)
        .map((name) => sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
      // callers may supply ids, so these do not determine the order
      const order = { sort: 'creation_time', reverse: !query.reverse }
      const condition = only.length ? all(...only) : undefined
      return listPage(ctx, Notification, inOwnOrder(query, order), condition)
    },
  }),
  read: operation({ ...plain.read, can, topic }),
  create: operation({
    ...plain.create,
    can,
    topic,
    input: { body: createBody },
    run: async (ctx, { body }) => written(await createNotification(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    summary: 'Mark a notification as read or unread',
    can,
    topic,
    input: { params: byId, body: Type.Object({ read: Type.Boolean() }) },
    run: async (ctx, { params, body, ifMatch }) =>
      written(
        await update(ctx, await lock(ctx, Notification, params.id, 'update', ifMatch), {
          read: body.read,
        }),
      ),
  }),
  markAllRead: operation({
    name: 'mark_all_notifications_read',
    summary: 'Mark all your notifications as read',
    can,
    topic,
    writes: true,
    input: {},
    output: Type.Object({ status: Type.String(), marked: Type.Integer() }),
    async run(ctx) {
      const marked = await ctx.run(sql`
        update notifications t set read = true, version = version + 1,
          last_update_time = ${ctx.now().toISOString()}
        where ${mine(ctx)} and ${ownNotifications(ctx)} and not t.read`)
      return { status: 'success', marked }
    },
  }),
  unreadCount: operation({
    name: 'count_unread_notifications',
    summary: 'Count your unread notifications',
    can,
    topic,
    writes: false,
    input: {},
    output: Type.Object({ count: Type.Integer() }),
    run: (ctx) =>
      ctx.one(sql`select count(*)::int as count from notifications t
        where ${mine(ctx)} and ${ownNotifications(ctx)} and not t.read`),
  }),
  readPreferences: operation({
    name: 'read_notification_preferences',
    summary: 'Retrieve your notification preferences',
    can,
    topic,
    writes: false,
    input: {},
    output: preferencesSchema,
    run: readPreferences,
  }),
  updatePreferences: operation({
    name: 'update_notification_preferences',
    summary: 'Update your notification preferences',
    description: 'Categories and settings that are left out stay as they are.',
    can,
    topic,
    writes: true,
    input: { body: preferencesBody },
    output: preferencesSchema,
    run: (ctx, { body }) => updatePreferences(ctx, body),
  }),
}
