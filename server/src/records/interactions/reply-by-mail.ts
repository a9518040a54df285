import type { Context, Queries } from '../../kit/ground/context.ts'
import { conflict, forbidden } from '../../kit/ground/errors.ts'
import { may } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { escapeHtml } from '../../kit/ground/html.ts'
import { replyDays } from '../mail/reply-address.ts'
import { createInteraction, deepest } from './create.ts'

/** The user and the comment of a reply address. */
export type ReplyTarget = {
  organization_id: string
  user_id: string
  email: string
  interaction_id: string
}

/** The user and the comment behind the token of an address; undefined for one that is unknown or too old, or if the user has left. */
export function findReplyTarget(
  queries: Queries,
  token_hash: Buffer,
  now: Date,
): Promise<ReplyTarget | undefined> {
  const since = new Date(+now - replyDays * 86_400_000).toISOString()
  return queries.one<ReplyTarget>(sql`
    select t.organization_id, t.user_id, u.email, t.interaction_id from reply_addresses t
    join users u on u.organization_id = t.organization_id and u.id = t.user_id
      and u.is_active and u.deleted_at is null
    where t.token_hash = ${token_hash} and t.creation_time > ${since}`)
}

/**
 * Writes a reply received by mail as a comment of the caller, once per message. Replies deeper
 * than threads allow answer the comment above. 403 without the right, 409 if the comment was deleted.
 */
export async function replyByMail(
  ctx: Context,
  { interaction_id }: Pick<ReplyTarget, 'interaction_id'>,
  { message, text }: { message: Buffer; text: string },
): Promise<void> {
  if (!may(ctx.actor, { module: 'interactions', action: 'create' })) {
    throw forbidden('Your role may not write comments')
  }
  const isFirst = await ctx.run(sql`
    insert into received_mails (organization_id, message_hash, creation_time)
    values (${ctx.organization.id}, ${message}, ${ctx.now().toISOString()}) on conflict do nothing`)
  if (!isFirst) return
  const found = await ctx.one<{ parent: string }>(sql`
    select case when t.thread_level < ${deepest} then t.id else t.parent_interaction_id end as parent
    from interactions t
    where ${mine(ctx)} and t.id = ${interaction_id} and not t.is_deleted and t.deleted_at is null`)
  if (!found) throw conflict('The comment was deleted', 'gone')
  const content = /<[a-z!/]/i.test(text) ? escapeHtml(text) : text
  await createInteraction(ctx, { content, parent_interaction_id: found.parent })
}
