import type { Context } from '../../kit/ground/context.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { pageOf } from '../../kit/read/page.ts'
import { UserProfile } from '../../model/users/user.ts'
import { listPageOfEntries } from './page.ts'
import { saysMore } from './visible.ts'

/** A page of what the caller did, and of what happened to their profile. */
export async function listOwnEntries(ctx: Context, query: PageRequest): Promise<Answer> {
  const me = ctx.actor.user_id
  const { descends, skip, limit } = pageOf(query)
  const order = sql.raw(`order by t.id ${descends ? 'desc' : 'asc'}`)
  // each branch has an index of its own; an OR would read the whole log
  const own = sql`e.id in (
    (select t.id from events t where ${mine(ctx)} and t.actor_id = ${me}
      ${order} limit ${skip + limit})
    union
    (select t.id from events t where ${mine(ctx)} and t.module_id = ${UserProfile.number}
      and t.reference_id = ${me} ${order} limit ${skip + limit}))`
  return listPageOfEntries(ctx, all(own, saysMore(ctx)), query)
}
