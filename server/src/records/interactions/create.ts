import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { scope } from '../../kit/record/scope.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { writableSubject } from '../activity/subject.ts'
import { recordActivity } from '../health/activity.ts'
import { attach, checkAttachments } from './attachments.ts'
import { audienceOf, checkReaders, idsOf, newlyMentioned, participants } from './audience.ts'
import type { NewInteraction } from './input.ts'
import { storedContent } from './input.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { interactionNotices } from './notices.ts'
import type { ThreadPart } from './privacy.ts'
import { sharedByDefault } from '../../model/organizations/settings.ts'
import { confinedAmong, pathTo } from './privacy.ts'

/** How many levels of replies a thread has. */
export const deepest = 5

/** What makes a comment the rating of a milestone: from 1 to 5, and who is notified of it. */
export type Rating = { rating: number; notified: string[] }

/**
 * Writes a comment on a record, or a reply, which is at least as private as its thread. Users mentioned
 * and the other authors of the thread are notified; 400 for users who may not see it.
 */
export async function createInteraction(
  ctx: Context,
  body: NewInteraction,
  rated?: Rating,
): Promise<Written> {
  const {
    module_id,
    module_name,
    reference_id,
    parent_interaction_id,
    attachment_ids = [],
    ...fields
  } = body
  await checkAttachments(ctx, attachment_ids)
  const parent = parent_interaction_id ? await parentOf(ctx, parent_interaction_id) : undefined
  const subject =
    parent?.subject ?? (await writableSubject(ctx, { module_id, module_name, reference_id }))
  if (!subject?.number) throw badField('module_id', 'is required, with reference_id')
  if (!subject.id) throw badField('reference_id', 'is required')
  const about = { module: subject.module, id: subject.id }
  const readers = idsOf(fields.visible_to_users ?? [])
  await checkReaders(ctx, readers, about)
  const id = newId()
  const own: ThreadPart = {
    id,
    parent_interaction_id: parent_interaction_id || null,
    is_private: fields.is_private ?? false,
    is_shared: await sharedAs(ctx, fields, parent?.path.at(-1)),
    visible_to_users: readers,
    created_by: ctx.actor.user_id,
    reply_readers: parent && fields.is_private ? readers : null,
  }
  const path = [...(parent?.path ?? []), own]
  const privacy = audienceOf(path, await confinedAmong(ctx, path))
  const mentions = await newlyMentioned(ctx, fields.mentions ?? [], about, privacy)
  const content = storedContent(fields.content)
  const { is_private, is_shared, visible_to_users } = privacy
  const draft = { ...fields, is_private, is_shared, visible_to_users, mentions, content }
  const shown = { module_id: subject.number, reference_id: subject.id, interaction_id: id }
  const others = parent ? await participants(ctx, parent.thread_id, privacy, about, mentions) : []
  const created = await insert(ctx, Interaction, draft, {
    id,
    along: (key) => attach(ctx, key, attachment_ids),
    set: {
      module_id: subject.number,
      reference_id: subject.id,
      parent_interaction_id: parent ? parent_interaction_id : null,
      thread_id: parent?.thread_id ?? id,
      thread_level: parent ? parent.thread_level + 1 : 0,
      reply_readers: own.reply_readers && JSON.stringify(own.reply_readers),
      rating: rated?.rating ?? null,
    },
    notify: [
      ...interactionNotices(ctx, mentions, 'mention', content, shown),
      ...interactionNotices(ctx, others, 'reply', content, shown),
      ...interactionNotices(ctx, rated?.notified ?? [], 'rating', content, shown),
    ],
  })
  const { user_id, is_external } = ctx.actor
  recordActivity(ctx, {
    kind: 'comment',
    source_id: id,
    module_id: subject.number,
    reference_id: subject.id,
    at: ctx.now().toISOString(),
    is_private,
    ...(is_external ? { users: [user_id] } : {}),
  })
  return created
}

/**
 * Whether a comment is shared: as requested, else like the comment that it answers, else by the organization's default;
 * comments of customers and partners always are. 400 for a shared reply to an internal comment.
 */
async function sharedAs(
  ctx: Context,
  fields: { is_shared?: boolean; is_private?: boolean },
  parent: ThreadPart | undefined,
): Promise<boolean> {
  if (ctx.actor.is_external) return true
  if (fields.is_shared && parent) checkShared(parent)
  if (parent || fields.is_private) return fields.is_shared ?? parent?.is_shared ?? false
  return (await sharedByDefault(ctx, 'comments', fields)).is_shared ?? false
}

/** 400 for a shared reply to an internal comment. */
export function checkShared(parent: ThreadPart) {
  if (!parent.is_shared) {
    throw badField('is_shared', 'must be false: what this replies to is internal')
  }
}

type Thread = { thread_id: string; thread_level: number }
type Parent = Thread & {
  subject: { module: string | undefined; number: number; id: string }
  /** the minimum privacy of its replies */
  path: ThreadPart[]
}

/** The comment replied to; 400 if it does not exist or is nested too deeply. */
async function parentOf(ctx: Context, id: string): Promise<Parent> {
  // first, because it waits for concurrent deletions and changes of these comments
  const path = await pathTo(ctx, id)
  const found = await ctx.one<Thread & { module_id: number; reference_id: string }>(sql`
    select t.module_id, t.reference_id, t.thread_id, t.thread_level
    from interactions t
    where ${scope(ctx, Interaction, 'read')} and t.id = ${id} and not t.is_deleted`)
  if (!found) throw badField('parent_interaction_id', 'no such record')
  if (found.thread_level >= deepest) {
    throw badField('parent_interaction_id', `threads go at most ${deepest} levels deep`)
  }
  const { module_id: number, reference_id, ...thread } = found
  const subject = { module: moduleWord(number), number, id: reference_id }
  return { ...thread, subject, path }
}
