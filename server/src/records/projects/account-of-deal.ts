import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, remove } from '../../kit/write/write.ts'
import { Account } from '../../model/accounts/account.ts'

/**
 * Makes the account of a won deal's company, unless the deal or the company has one: a deal that has chosen none belongs
 * to the account of its company. Two deals of a company that are won at once wait for each other at its row. Whoever wins
 * a deal needs no right on accounts.
 */
export async function accountOfWonDeal(ctx: Context, deal: string): Promise<void> {
  const found = await ctx.one<{ company: string; company_name: string; owner: string | null }>(sql`
    select c.id as company, c.company_name, t.project_owner as owner from projects t
    join companies c on c.organization_id = $organization and c.id = t.company_id
      and c.deleted_at is null
    where ${mine(ctx)} and t.id = ${deal} and t.project_type = 'deal' and t.account_id is null
    for no key update of c`)
  if (!found) return
  const { company, company_name, owner } = found
  // only now nobody else makes one
  const existing = await ctx.one(sql`select t.id from accounts t
    where ${mine(ctx)} and t.company_id = ${company} and t.deleted_at is null limit 1`)
  if (existing) return
  await insert(
    ctx,
    Account,
    { account_name: company_name },
    { set: { company_id: company, account_owner: owner, won_with: deal } },
  )
}

/** Deletes the account that a deal's winning made, once the deal is open again and as long as nothing was done with it. */
export async function withoutAccountOfWonDeal(ctx: Context, deal: string): Promise<void> {
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from accounts t
    where ${mine(ctx)} and t.won_with = ${deal} and t.deleted_at is null and t.version = 1
      and not exists (select from projects p where ${mine(ctx, 'p')} and p.account_id = t.id
        and p.deleted_at is null and p.id <> ${deal}
        and (p.project_type = 'project' or not p.is_account_derived))
      ${sql.join(
        ['users', 'tasks', 'documents', 'surveys'].map(
          (table) => sql`and not exists (select from ${sql.table(table)} r
            where ${mine(ctx, 'r')} and r.account_id = t.id and r.deleted_at is null)`,
        ),
        sql` `,
      )}
      and not exists (select from interactions i where ${mine(ctx, 'i')}
        and i.module_id = ${Account.number} and i.reference_id = t.id)
    for update of t`)
  if (!found) return
  const accounts = { read: 'all', delete: 'all' } as const
  const permission = { ...ctx.actor.permission, accounts }
  await remove({ ...ctx, actor: { ...ctx.actor, permission } }, Account, found.id)
}
