import type { Context } from '../../kit/ground/context.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { pageOf } from '../../kit/read/page.ts'
import { UserProfile } from '../users/user.ts'
import { readEntries } from './entry.ts'

/** A page of what the caller did, and of what happened to their profile. */
export async function listOwnEntries(ctx: Context, query: PageRequest): Promise<Answer> {
  const { number, size, ...slice } = pageOf(query)
  const me = ctx.actor.user_id
  const { descends, skip, limit } = slice
  const order = sql.raw(`order by t.id ${descends ? 'desc' : 'asc'}`)
  // each branch has an index of its own; an OR would read the whole log
  const own = sql`e.id in (
    (select t.id from events t where ${mine(ctx)} and t.actor_id = ${me}
      ${order} limit ${skip + limit})
    union
    (select t.id from events t where ${mine(ctx)} and t.module_id = ${UserProfile.number}
      and t.reference_id = ${me} ${order} limit ${skip + limit}))`
  const entries = await readEntries(ctx, own, slice)
  const more = entries.length > size
  if (more) entries.pop()
  return new Answer(entries, { page: { number, size, more } })
}
