import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Patch } from '../../kit/record/record.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import type { Privacy } from './audience.ts'
import { checkReaders, idsOf, newlyMentioned, privacyBelow } from './audience.ts'
import type { InteractionChanges } from './input.ts'
import { storedContent } from './input.ts'
import type { InteractionRow } from './interaction.ts'
import { Interaction } from './interaction.ts'
import { interactionNotices } from './notices.ts'

/**
 * Changes a comment; users newly mentioned are notified, and its replies follow its privacy. 400 for
 * users who may not see it, 404 for a deleted one.
 */
export async function updateInteraction(
  ctx: Context,
  id: string,
  body: InteractionChanges,
  ifMatch?: number[],
): Promise<Written> {
  const { row } = await lock(ctx, Interaction, id, 'update', ifMatch)
  if (row.is_deleted) throw notFound('Interaction')
  const { mentions, visible_to_users, ...fields } = changesOf(row, body)
  const subject = { module: row.module_name, id: row.reference_id }
  await checkReaders(ctx, visible_to_users ?? [], subject)
  const privacy: Privacy = {
    is_private: fields.is_private ?? row.is_private,
    visible_to_users: visible_to_users ?? row.visible_to_users,
    created_by: row.user_details?.user_id ?? null,
  }
  const fresh = await newlyMentioned(ctx, mentions ?? [], subject, privacy, idsOf(row.mentions))
  const { module_id, reference_id } = row
  const shown = { module_id, reference_id, interaction_id: id }
  const notify = interactionNotices(ctx, fresh, 'mention', fields.content ?? row.content, shown)
  const patch: Patch<typeof Interaction> = {
    ...fields,
    ...(mentions && { mentions }),
    ...(visible_to_users && { visible_to_users }),
  }
  const changed = await update(ctx, Interaction, id, patch, { notify })
  if (fields.is_private !== undefined || visible_to_users) await cascadePrivacy(ctx, id)
  return changed
}

/** What a body changes: users by their ids, safe content, and of a reply nothing of its privacy. */
function changesOf(row: InteractionRow, body: InteractionChanges) {
  const { mentions, visible_to_users, is_private, content, ...fields } = withoutRepeated(row, body)
  const isReply = row.parent_interaction_id !== null
  return {
    ...fields,
    ...(content !== undefined && { content: storedContent(content) }),
    // a reply is as private as its thread
    ...(is_private !== undefined && !isReply && { is_private }),
    mentions: mentions && unlessSame(idsOf(row.mentions), idsOf(mentions)),
    visible_to_users:
      visible_to_users && !isReply
        ? unlessSame(row.visible_to_users, idsOf(visible_to_users))
        : undefined,
  }
}

function unlessSame(before: string[], after: string[]): string[] | undefined {
  return [...before].sort().join() === [...after].sort().join() ? undefined : after
}

/** Applies the present privacy of a thread's first comment to its replies. */
async function cascadePrivacy(ctx: Context, thread: string) {
  const first = await ctx.one<Privacy>(sql`
    select t.is_private, t.visible_to_users, t.created_by from interactions t
    where ${mine(ctx)} and t.id = ${thread}`)
  if (!first) return
  const { is_private, visible_to_users } = privacyBelow(first)
  const readers = JSON.stringify(visible_to_users)
  await ctx.run(sql`
    update interactions t set is_private = ${is_private}, visible_to_users = ${readers}::jsonb,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.thread_id = ${thread} and t.id <> ${thread}
      and (t.is_private, t.visible_to_users) is distinct from (${is_private}, ${readers}::jsonb)`)
}
