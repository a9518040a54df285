import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { entrySchema, readEntries } from './entry.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { UserProfile } from '../users/user.ts'

/** What the caller did, and what was done to their profile; newest first. */
export const ownFeed: Operation = {
  name: 'list_own_activity',
  summary: 'List your own activity, newest first',
  can: 'signed_in',
  writes: false,
  input: { query: { type: 'object', properties: pageProperties } },
  output: arrayOf(entrySchema),
  async run(ctx: Context, { query }: Input) {
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
  },
}
