import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { confinedKinds } from '../../model/users/roles/permissions.ts'

// Who may read a reply. It is never less private than the comment it answers. A private reply in a
// thread that is not private is for the readers it names, and without any for the team: everybody who
// sees the thread and is not confined to an account.

/** Whether only its author and these users see it; a private reply without users is for the team. */
export type Privacy = { is_private: boolean; visible_to_users: string[]; created_by: string | null }

/** Whether customers and partners see a comment, besides those who take part in it. */
export type Shared = { is_shared: boolean }

/** The stored privacy of a comment in a thread. */
export type ThreadPart = Privacy &
  Shared & {
    id: string
    parent_interaction_id: string | null
    /** the readers requested for a reply: user ids, empty for the team; null for the same as its thread */
    reply_readers: string[] | null
  }

/** The privacy of the last comment on a path from the first comment of the thread. */
export function privacyOf(path: ThreadPart[], confined: Set<string>): Privacy {
  const [first, ...replies] = path
  const last = path.at(-1)
  if (!first || !last || !replies.length) {
    const { is_private = false, visible_to_users = [], created_by = null } = first ?? {}
    return { is_private, visible_to_users, created_by }
  }
  const { created_by } = last
  const lists = first.is_private ? [withAuthor(first.visible_to_users, first)] : []
  let isForTeam = false
  for (const reply of replies) {
    if (reply.reply_readers === null) continue
    if (reply.reply_readers.length) lists.push(withAuthor(reply.reply_readers, reply))
    else isForTeam = true
  }
  const [shortest, ...others] = lists
  if (!shortest) return { is_private: isForTeam, visible_to_users: [], created_by }
  const readers = shortest.filter(
    (user) => others.every((list) => list.includes(user)) && !(isForTeam && confined.has(user)),
  )
  // never empty, which would mean the team; and authors always see what they wrote
  const visible_to_users = readers.length ? readers : [created_by ?? '']
  return { is_private: true, visible_to_users, created_by }
}

/** Whether a comment of this privacy is for the whole team. */
export function isForTeam({ is_private, visible_to_users }: Privacy, isReply: boolean): boolean {
  return is_private && isReply && !visible_to_users.length
}

/**
 * The comments from the first of a thread down to one of them, locked until the transaction ends:
 * a write that deletes one or changes its privacy waits, and then sees what was written below it.
 */
export function pathTo(ctx: Context, id: string): Promise<ThreadPart[]> {
  return ctx.all<ThreadPart>(sql`
    with recursive above (id, parent) as (
      select t.id, t.parent_interaction_id from interactions t where ${mine(ctx)} and t.id = ${id}
      union all
      select t.id, t.parent_interaction_id from interactions t join above on above.parent = t.id
      where ${mine(ctx)}
    )
    select t.id, t.parent_interaction_id, t.created_by, t.is_private, t.is_shared,
      t.visible_to_users, t.reply_readers
    from interactions t where ${mine(ctx)} and t.id in (select id from above)
    order by t.thread_level for key share of t`)
}

/** Those of the readers named in a thread who are confined to an account. */
export async function confinedAmong(ctx: Context, parts: ThreadPart[]): Promise<Set<string>> {
  // a single comment is as private as it says, whoever may read it
  if (parts.length < 2) return new Set()
  const ids = parts.flatMap((part) => [
    ...part.visible_to_users,
    ...(part.reply_readers ?? []),
    part.created_by,
  ])
  const found = await ctx.all<{ id: string }>(sql`
    select t.id from users t
    join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and t.id = any(${ids}::varchar[]) and r.kind = any(${[...confinedKinds]})`)
  return new Set(found.map(({ id }) => id))
}

/** Applies a change of privacy to all replies below. */
export async function settlePrivacy(ctx: Context, thread_id: string): Promise<void> {
  const parts = await ctx.all<ThreadPart>(sql`
    select t.id, t.parent_interaction_id, t.created_by, t.is_private, t.is_shared,
      t.visible_to_users, t.reply_readers
    from interactions t where ${mine(ctx)} and t.thread_id = ${thread_id}
    order by t.thread_level, t.id for update`)
  const confined = await confinedAmong(ctx, parts)
  const paths = new Map<string, ThreadPart[]>()
  const settled: { id: string; is_private: boolean; visible_to_users: string[] }[] = []
  for (const part of parts) {
    const above = paths.get(part.parent_interaction_id ?? '') ?? []
    const path = [...above, part]
    paths.set(part.id, path)
    if (!above.length) continue
    const { is_private, visible_to_users } = privacyOf(path, confined)
    settled.push({ id: part.id, is_private, visible_to_users })
  }
  await ctx.run(sql`
    update interactions t set is_private = s.is_private, visible_to_users = s.visible_to_users,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(settled)})
      as s (id text, is_private boolean, visible_to_users jsonb)
    where ${mine(ctx)} and t.id = s.id
      and (t.is_private, t.visible_to_users) is distinct from (s.is_private, s.visible_to_users)`)
}

/** Makes the replies below a comment internal, too, if it has become internal. */
export async function makeInternalBelow(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    with recursive below as (
      select t.id from interactions t where ${mine(ctx)} and t.parent_interaction_id = ${id}
      union all
      select t.id from interactions t join below on t.parent_interaction_id = below.id
      where ${mine(ctx)}
    )
    update interactions t set is_shared = false, version = version + 1,
      last_update_time = ${ctx.now().toISOString()}
    from below where ${mine(ctx)} and t.id = below.id and t.is_shared`)
}

function withAuthor(readers: string[], { created_by }: ThreadPart): string[] {
  return created_by ? [...new Set([...readers, created_by])] : readers
}
