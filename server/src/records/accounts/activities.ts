import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { isId } from '../../kit/ground/ids.ts'
import { Json } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { sizeUnderEitherName } from '../../kit/read/page.ts'
import { eitherOf } from '../../kit/record/names.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { readEntries } from '../activity/entry.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Account } from '../../model/accounts/account.ts'
import { checkReadable } from '../../kit/read/one.ts'

type Page = {
  account_id?: string
  limit?: number
  items_per_page?: number
  next_cursor?: string
  cursor?: string
}

/**
 * A page of the log of an account, its deals and projects, newest first; of all accounts if none
 * is named; shorter if the entries are large. 404 for an account that the caller cannot see.
 */
export async function listActivities(
  ctx: Context,
  { account_id, limit, items_per_page, cursor, ...query }: Page,
) {
  if (account_id) await checkReadable(ctx, Account, account_id)
  const size = sizeUnderEitherName({ limit, items_per_page }) ?? 25
  const next_cursor = eitherOf(['next_cursor', query.next_cursor], ['cursor', cursor])
  if (next_cursor && !isId(next_cursor)) {
    const name = next_cursor === cursor ? 'cursor' : 'next_cursor'
    throw badField(name, 'must be the next_cursor of a previous answer')
  }
  const older = next_cursor ? sql`e.id < ${next_cursor}` : sql`true`
  const slice = sql`order by e.id desc limit ${size + 1}`
  const its = sql`select p.id from ${readableRows(ctx, 'projects')} p
    where p.organization_id = ${ctx.organization.id} and p.account_id = ${account_id ?? null}`
  const self = account_id ? sql`e.reference_id = ${account_id}` : sql`true`
  // each branch has an index of its own; an OR would read the whole log
  const near = await ctx.all<{ id: string }>(sql`
    select n.id from (
      (select e.id from events e where ${visibleEntries(ctx)} and e.module_id = ${Account.number}
        and ${self} and ${older} ${slice})
      union
      (select e.id from events e where ${visibleEntries(ctx)} and e.project_id in (${its})
        and ${older} ${slice})) n
    order by n.id desc limit ${size + 1}`)
  const ids = near.slice(0, size).map(({ id }) => id)
  const those = sql`e.id = any(${ids}::varchar[])`
  const { entries, isCut } = await readEntries(ctx, those, { limit: size })
  const next = near.length > size || isCut ? (entries.at(-1)?.id ?? null) : null
  const results = entries.map(({ text }) => text).join()
  return new Json(`{"results":[${results}],"next_cursor":${JSON.stringify(next)}}`)
}
