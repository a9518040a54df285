import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { names, onlyOf } from '../repoint.ts'
import type { Kind } from './kinds.ts'
import { kinds, linkOf } from './kinds.ts'

/** What of one kind hangs on a user: how many, and the first names. */
export type Hanging = { kind: string; count: number; names: string[] }

/** How many of a kind are named. */
const shown = 5

/** What hangs on a user, by kind; kinds of which there is nothing are left out. */
export async function whatHangsOn(ctx: Context, user_id: string): Promise<Hanging[]> {
  const found: Hanging[] = []
  for (const kind of kinds) {
    const branches = kind.links.map((link) => rowsOf(ctx, link, user_id))
    const row = await ctx.one<{ count: number; names: string[] | null }>(sql`
      with named as (
        select x.id, min(x.name) as name from (${sql.join(branches, sql` union all `)}) x
        group by x.id
      )
      select (select count(*)::int from named) as count,
        (select json_agg(n.name) from (select name from named order by id desc limit ${shown}) n) as names`)
    if (row?.count) found.push({ kind: kind.kind, count: row.count, names: row.names ?? [] })
  }
  return found
}

/** The ids and names of the living rows by which a link names a user. */
function rowsOf(ctx: Context, link: Kind['links'][number], user_id: string): Query {
  const known = linkOf(link)
  const alive = known.record?.softDelete ? sql`t.deleted_at is null` : undefined
  const condition = all(mine(ctx), names(known, user_id), onlyOf(known), link.where, alive)
  return sql`select t.id, ${sql.raw(link.title)} as name from ${sql.table(known.table)} t
    where ${condition}`
}
