import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { subjectsByModule } from '../../model/by-module.ts'
import { loadActor } from '../users/actor.ts'
import type { Privacy, Shared, ThreadPart } from './privacy.ts'
import { isForTeam, privacyOf } from './privacy.ts'

// Who may see a comment, and therefore may be mentioned in it and is notified of it.

/** The record that a comment is about. */
export type About = { module: string | undefined; id: string }

/** 400 if a reader named in a private comment may not see the record. */
export async function checkReaders(
  ctx: Context,
  readers: string[],
  subject: About,
  isNew: (user: string) => boolean = () => true,
) {
  for (const [i, user] of readers.entries()) {
    if (isNew(user) && !(await sees(ctx, user, subject))) {
      throw badField(`visible_to_users.${i}`, 'cannot see this record')
    }
  }
}

/** The users newly mentioned; 400 for somebody who may not see the record, or the private thread. */
export async function newlyMentioned(
  ctx: Context,
  mentions: People,
  subject: About,
  privacy: Audience,
  before: string[] = [],
): Promise<string[]> {
  const mentioned = idsOf(mentions)
  const { isForTeam } = privacy
  for (const [i, user] of mentioned.entries()) {
    if (before.includes(user)) continue
    if (!isReader(ctx, privacy, user) || !(await sees(ctx, user, subject, { isForTeam }))) {
      throw badField(`mentions.${i}`, 'cannot see this')
    }
  }
  return [...new Set(mentioned)].filter((user) => !before.includes(user))
}

/** What decides who may see a comment: its privacy, whether it is for the team, and whether it is shared with customers. */
export type Audience = Privacy & Shared & { isForTeam: boolean }

/** The audience of the last comment on a path; see `privacyOf`. */
export function audienceOf(path: ThreadPart[], confined: Set<string>): Audience {
  const privacy = privacyOf(path, confined)
  const { is_shared = false } = path.at(-1) ?? {}
  return { ...privacy, is_shared, isForTeam: isForTeam(privacy, path.length > 1) }
}

function isReader(ctx: Context, audience: Audience, user: string): boolean {
  const { is_private, visible_to_users, created_by, isForTeam } = audience
  if (!is_private || isForTeam) return true
  return [...visible_to_users, created_by, ctx.actor.user_id].includes(user)
}

/**
 * Whether a user may read a record, by their own rights; with `isForTeam` only as a member of the team, and with
 * `isInternal` not as a customer or partner.
 */
async function sees(
  ctx: Context,
  user: string,
  { module, id }: About,
  { isForTeam = false, isInternal = false } = {},
): Promise<boolean> {
  const loaded = await loadActor(ctx, ctx.organization.id, user)
  if (!loaded?.is_active || (isForTeam && loaded.actor.is_confined)) return false
  if (isInternal && loaded.actor.is_external) return false
  const record = recordOf(module)
  const theirs = { ...ctx, actor: loaded.actor }
  const found = await ctx.one(sql`select t.id from ${sql.table(record.table)} t
    where ${scope(theirs, record, 'read')} and t.id = ${id}`)
  return found !== undefined
}

/** The other authors of a thread who may still read it. */
export async function participants(
  ctx: Context,
  thread_id: string,
  audience: Audience,
  subject: About,
  without: string[],
): Promise<string[]> {
  const found = await ctx.all<{ id: string }>(sql`
    select distinct t.created_by as id from interactions t
    where ${mine(ctx)} and t.thread_id = ${thread_id} and t.created_by is not null
      and t.deleted_at is null and t.created_by <> ${ctx.actor.user_id ?? ''}`)
  const others = found
    .map((each) => each.id)
    .filter((user) => !without.includes(user) && isReader(ctx, audience, user))
  // the named readers of a private reply take part in it
  const { isForTeam, is_private, is_shared } = audience
  const isInternal = !is_shared && !is_private
  const seeing = await Promise.all(
    others.map((user) => sees(ctx, user, subject, { isForTeam, isInternal })),
  )
  return others.filter((_, i) => seeing[i])
}

/** The record behind a module's word; 400 for one that cannot have comments. */
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
