import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { NotificationType } from '../../kit/ground/event.ts'
import { notificationTypes } from '../../kit/ground/event.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { createSchema } from '../../kit/record/schema.ts'
import { mayAll } from '../../kit/record/scope.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { Notification } from '../../model/notifications/notification.ts'

/** The body that creates a notification. */
export const createBody = extend(createSchema(Notification), {
  notification_id: Type.Optional(suppliedId),
})

/**
 * Notifies one user, whose streams receive it at once. 400 for one that does not exist, 403 for another user
 * without the right to update all users.
 */
export async function createNotification(
  ctx: Context,
  { notification_id, ...draft }: Static<typeof createBody>,
): Promise<Written> {
  const { user_id, notification_type = 9 } = draft
  const id = typeof user_id === 'string' ? user_id : user_id.user_id
  const known = await ctx.one(sql`select t.id from users t
    where ${mine(ctx)} and t.id = ${String(id)} and t.deleted_at is null`)
  if (!known) throw badField('user_id', 'no such record')
  if (id !== ctx.actor.user_id && !mayAll(ctx.actor, 'users', 'update')) {
    throw forbidden('Your role may notify yourself only')
  }
  const {
    notify_time = ctx.now().toISOString(),
    category = notificationTypes[notification_type as NotificationType],
    is_system = notification_type === 9,
  } = draft
  const created = await insert(
    ctx,
    Notification,
    { ...draft, notify_time, category, is_system },
    { id: notification_id },
  )
  ctx.afterCommit(() => ctx.services.streams.notified(ctx.organization.id, [String(id)]))
  return created
}
