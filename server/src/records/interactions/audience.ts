import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { subjectsByModule } from '../by-module.ts'
import { loadActor } from '../users/actor.ts'

// Who may see a comment, and so who may be mentioned in it and who is notified of it.

/** The record that a comment is about. */
export type About = { module: string | undefined; id: string }

/** Whether only its author and these users see it. */
export type Privacy = { is_private: boolean; visible_to_users: string[]; created_by: string | null }

/** The privacy of replies: that of what they reply to, whose author sees them too. */
export function privacyBelow(above: Privacy): Pick<Privacy, 'is_private' | 'visible_to_users'> {
  const { is_private, visible_to_users, created_by } = above
  if (!is_private || !created_by) return { is_private, visible_to_users }
  return { is_private, visible_to_users: [...new Set([...visible_to_users, created_by])] }
}

/** 400 for somebody whom a private comment names as a reader and who may not see the record. */
export async function checkReaders(ctx: Context, readers: string[], subject: About) {
  for (const [i, user] of readers.entries()) {
    if (!(await sees(ctx, user, subject))) {
      throw badField(`visible_to_users.${i}`, 'cannot see this record')
    }
  }
}

/** The users newly mentioned; 400 for somebody who may not see the record, or the private thread. */
export async function newlyMentioned(
  ctx: Context,
  mentions: People,
  subject: About,
  { is_private, visible_to_users, created_by }: Privacy,
  before: string[] = [],
): Promise<string[]> {
  const mentioned = idsOf(mentions)
  const readers = [...visible_to_users, created_by, ctx.actor.user_id]
  for (const [i, user] of mentioned.entries()) {
    if (before.includes(user)) continue
    if ((is_private && !readers.includes(user)) || !(await sees(ctx, user, subject))) {
      throw badField(`mentions.${i}`, 'cannot see this')
    }
  }
  return [...new Set(mentioned)].filter((user) => !before.includes(user))
}

/** Whether a user may read a record, by their own rights. */
async function sees(ctx: Context, user: string, { module, id }: About): Promise<boolean> {
  const loaded = await loadActor(ctx, ctx.organization.id, user)
  if (!loaded?.is_active) return false
  const record = recordOf(module)
  const theirs = { ...ctx, actor: loaded.actor }
  const found = await ctx.one(sql`select t.id from ${sql.table(record.table)} t
    where ${scope(theirs, record, 'read')} and t.id = ${id}`)
  return found !== undefined
}

/** The other authors of a thread who may still see what is written in it. */
export async function participants(
  ctx: Context,
  { thread_id, is_private, visible_to_users }: Privacy & { thread_id: string },
  subject: About,
  without: string[],
): Promise<string[]> {
  const found = await ctx.all<{ id: string }>(sql`
    select distinct t.created_by as id from interactions t
    where ${mine(ctx)} and t.thread_id = ${thread_id} and t.created_by is not null
      and t.deleted_at is null and t.created_by <> ${ctx.actor.user_id ?? ''}`)
  const others = found
    .map((each) => each.id)
    .filter((user) => !without.includes(user) && (!is_private || visible_to_users.includes(user)))
  const seeing = await Promise.all(others.map((user) => sees(ctx, user, subject)))
  return others.filter((_, i) => seeing[i])
}

/** The record behind a module's word; 400 for one that takes no comments. */
export function recordOf(word: string | undefined): AnyRecord {
  const record = word === undefined ? undefined : subjectsByModule[word]
  if (!record) throw badField('module_name', 'has no records to comment on')
  return record
}

/** Users in a body: ids, or objects with one under `user_id`. */
export type People = (string | { user_id: string })[]

export function idsOf(people: People): string[] {
  return people.map((each) => (typeof each === 'string' ? each : each.user_id))
}
