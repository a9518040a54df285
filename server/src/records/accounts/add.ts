import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { Account } from '../../model/accounts/account.ts'

/** Adds an account for the operator, optionally of a company, with its log entry; returns its id. */
export async function addAccount(
  ctx: Context,
  account_name: string,
  company_id: string | null = null,
): Promise<string> {
  const id = newId()
  await ctx.run(sql`
    insert into accounts (organization_id, id, account_name, company_id, created_by, creation_time)
    values (${ctx.organization.id}, ${id}, ${account_name}, ${company_id}, ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  await announce(ctx, Account, 'created', { id, name: account_name })
  return id
}
