import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock, update } from '../../kit/write/write.ts'
import { Account } from '../../model/accounts/account.ts'

const Vertical = { module: 'accounts', number: Account.number, word: 'vertical' }

/**
 * Removes a vertical, by its value or label, from the organization's set and from the accounts that
 * have it. 403 for callers who may not change every account, 400 for a vertical that does not exist.
 */
export async function removeVertical(ctx: Context, vertical: string) {
  if (!mayAll(ctx.actor, 'accounts', 'update')) {
    throw forbidden('Your role may not change every account')
  }
  const word = vertical.trim().toLowerCase()
  const options = await ctx.all<{ value: string; label: string }>(sql`
    delete from option_sets t where ${mine(ctx)} and module = 'accounts'
      and set_name = 'verticals' and (lower(value) = ${word} or lower(label) = ${word})
    returning value, label`)
  const words = [word, ...options.flatMap(({ value, label }) => [value, label])]
  const having = await ctx.all<{ id: string }>(sql`
    select t.id from accounts t where ${mine(ctx)} and t.deleted_at is null
      and lower(t.vertical) = any(${words.map((each) => each.toLowerCase())}) order by t.id`)
  if (!options.length && !having.length) throw badField('vertical', 'no such vertical')
  for (const { id } of having)
    await update(ctx, await lock(ctx, Account, id, 'update'), { vertical: null })
  await announce(ctx, Vertical, 'deleted', {
    id: null,
    name: vertical,
    changes: [{ field: 'verticals', from: vertical, to: null }],
  })
  ctx.forget()
  return { status: 'success', vertical, accounts: having.length }
}
