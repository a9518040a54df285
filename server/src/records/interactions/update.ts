import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import type { Patch } from '../../kit/record/record.ts'
import { equal } from '../../kit/ground/object.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { replaceAttachments } from './attachments.ts'
import { audienceOf, checkReaders, idsOf, newlyMentioned } from './audience.ts'
import { checkShared } from './create.ts'
import type { InteractionChanges } from './input.ts'
import { storedContent } from './input.ts'
import type { InteractionRow } from '../../model/interactions/interaction.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { interactionNotices } from './notices.ts'
import type { ThreadPart } from './privacy.ts'
import { confinedAmong, makeInternalBelow, pathTo, settlePrivacy } from './privacy.ts'

/**
 * Changes a comment; newly mentioned users are notified, and its replies follow its privacy. A reply
 * cannot be less private than its thread. 400 for users who may not see it, 404 for a deleted one.
 */
export async function updateInteraction(
  ctx: Context,
  id: string,
  body: InteractionChanges,
  ifMatch?: number[],
): Promise<Written> {
  const locked = await lock(ctx, Interaction, id, 'update', ifMatch)
  const { row } = locked
  if (row.is_deleted) throw notFound('Interaction')
  const { attachment_ids, ...written } = body
  const { mentions, visible_to_users, is_private, ...fields } = changesOf(row, written)
  const { is_shared } = fields
  const subject = { module: row.module_name, id: row.reference_id }
  const isNew = (user: string) => !row.visible_to_users.includes(user)
  await checkReaders(ctx, visible_to_users ?? [], subject, isNew)
  const path = await pathTo(ctx, id)
  const last = path.at(-1)
  if (!last) throw notFound('Interaction')
  const isReply = path.length > 1
  const parent = path.at(-2)
  if (is_shared && parent) checkShared(parent)
  const requested = isReply
    ? { reply_readers: requestedReaders(last, is_private, visible_to_users) }
    : { is_private: is_private ?? last.is_private }
  const readers = visible_to_users && !isReply ? { visible_to_users } : {}
  const shared = { is_shared: is_shared ?? last.is_shared }
  path.splice(-1, 1, { ...last, ...requested, ...readers, ...shared })
  const audience = audienceOf(path, await confinedAmong(ctx, path))
  const fresh = await newlyMentioned(ctx, mentions ?? [], subject, audience, idsOf(row.mentions))
  const { module_id, reference_id } = row
  const shown = { module_id, reference_id, interaction_id: id }
  const notify = interactionNotices(ctx, fresh, 'mention', fields.content ?? row.content, shown)
  const patch: Patch<typeof Interaction> = {
    ...fields,
    is_private: audience.is_private,
    visible_to_users: audience.visible_to_users,
    ...(mentions && { mentions }),
  }
  const { reply_readers } = requested
  const isChanged = reply_readers !== undefined && !equal(reply_readers, last.reply_readers)
  const set = isChanged ? { reply_readers: reply_readers && JSON.stringify(reply_readers) } : {}
  const also = attachment_ids ? await replaceAttachments(ctx, id, attachment_ids) : []
  const changed = await update(ctx, locked, patch, { notify, set, also })
  if (is_private !== undefined || visible_to_users) await settlePrivacy(ctx, path[0]?.id ?? id)
  if (is_shared === false) await makeInternalBelow(ctx, id)
  return changed
}

/** The readers of a reply after a change; null for the same as its thread. */
function requestedReaders(
  { reply_readers }: ThreadPart,
  is_private: boolean | undefined,
  readers: string[] | undefined,
): string[] | null {
  if (is_private === false) return null
  if (is_private || reply_readers) return readers ?? reply_readers ?? []
  return null
}

/** What a body changes: users by their ids, and safe content. */
function changesOf(row: InteractionRow, body: Omit<InteractionChanges, 'attachment_ids'>) {
  const { mentions, visible_to_users, is_private, content, ...fields } = withoutRepeated(row, body)
  return {
    ...fields,
    is_private,
    ...(content !== undefined && { content: storedContent(content) }),
    mentions: mentions && unlessSame(idsOf(row.mentions), idsOf(mentions)),
    visible_to_users: visible_to_users && unlessSame(row.visible_to_users, idsOf(visible_to_users)),
  }
}

function unlessSame(before: string[], after: string[]): string[] | undefined {
  return [...before].sort().join() === [...after].sort().join() ? undefined : after
}
