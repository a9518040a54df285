import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, remove } from '../../kit/write/write.ts'
import { Account } from '../../model/accounts/account.ts'

/**
 * Makes the account of a won deal's company, unless the deal or the company has one: a deal that has chosen none belongs
 * to the account of its company. Two deals of a company that are won at once wait for each other at its row. Whoever wins
 * a deal needs no right on accounts, and fields that are required of accounts stay empty. Returns the id of one it made.
 */
export async function accountOfWonDeal(ctx: Context, deal: string): Promise<string | undefined> {
  const found = await ctx.one<CompanyOfDeal>(sql`${companyOf(ctx, deal)} for no key update of c`)
  // only now nobody else makes one
  if (!found || (await hasAccount(ctx, found))) return undefined
  const { company, company_name, owner } = found
  const { id } = await insert(
    ctx,
    Account,
    { account_name: company_name },
    { allowMissing: true, set: { company_id: company, account_owner: owner, won_with: deal } },
  )
  return id
}

/** Whether `accountOfWonDeal` would make one, without making it. */
export async function getsAccount(ctx: Context, deal: string): Promise<boolean> {
  const found = await ctx.one<CompanyOfDeal>(companyOf(ctx, deal))
  return found !== undefined && !(await hasAccount(ctx, found))
}

type CompanyOfDeal = { company: string; company_name: string; owner: string | null }

/** The company `c` of a deal that has no account. */
function companyOf(ctx: Context, deal: string): Query {
  return sql`
    select c.id as company, c.company_name, t.project_owner as owner from projects t
    join companies c on c.organization_id = $organization and c.id = t.company_id
      and c.deleted_at is null
    where ${mine(ctx)} and t.id = ${deal} and t.project_type = 'deal' and t.account_id is null`
}

async function hasAccount(ctx: Context, { company }: CompanyOfDeal): Promise<boolean> {
  const found = await ctx.one(sql`select t.id from accounts t
    where ${mine(ctx)} and t.company_id = ${company} and t.deleted_at is null limit 1`)
  return found !== undefined
}

/**
 * Locks the company of a deal and one that it is to have, before the deal's own row: a new account locks the company,
 * then all of its deals.
 */
export async function lockCompanies(
  ctx: Context,
  { deal, company }: { deal?: string; company?: unknown },
): Promise<void> {
  await ctx.run(sql`select from companies t
    where ${mine(ctx)} and t.id = any(array(
      select p.company_id from projects p where ${mine(ctx, 'p')} and p.id = ${deal ?? null}
      union all select ${typeof company === 'string' ? company : null}::varchar))
    order by t.id for no key update`)
}

/**
 * Deletes the account that a deal's winning made, once the deal is open again or its conversion is undone, and as long as nothing was done with it.
 * Another won deal to which it belongs takes it over.
 */
export async function withoutAccountOfWonDeal(ctx: Context, deal: string): Promise<void> {
  const other = await ctx.one<{ id: string }>(sql`
    select t.id from accounts a
    join projects t on ${mine(ctx)} and t.account_id = a.id and t.deleted_at is null
      and t.id <> ${deal} and t.project_type = 'deal'
    join stages s on ${mine(ctx, 's')} and s.id = t.stage_id and s.category = 'won'
    where ${mine(ctx, 'a')} and a.won_with = ${deal} and a.deleted_at is null
    order by t.id limit 1`)
  if (other) {
    await ctx.run(sql`update accounts t set won_with = ${other.id}
      where ${mine(ctx)} and t.won_with = ${deal} and t.deleted_at is null`)
    return
  }
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
