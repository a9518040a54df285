import type { Context } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord, Row } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import type { Project } from '../../model/projects/project.ts'

// The links that a copy of a project, or the project made from a deal, takes over.

type Link = (typeof names)[number]
const names = [
  'account_id',
  'company_id',
  'customer',
  'project_owner',
  'project_manager',
  'holidays_id',
] as const

/** The links of a project as ids; null for links to deleted or hidden records. */
export async function usableLinks(
  ctx: Context,
  row: Row<typeof Project>,
): Promise<{ [name in Link]?: string | null }> {
  const links: { [name in Link]: [id: string | null | undefined, to: AnyRecord | string] } = {
    account_id: [row.account_id, Account],
    company_id: [row.company_id, Company],
    customer: [row.customer, Contact],
    project_owner: [row.project_owner?.user_id, 'users'],
    project_manager: [row.project_manager?.user_id, 'users'],
    holidays_id: [row.holidays_id, 'holiday_sets'],
  }
  const columns = names.map((name) => {
    const [id, to] = links[name]
    const table = typeof to === 'string' ? to : to.table
    const exists = all(mine(ctx), sql`t.deleted_at is null`)
    const isUsable = typeof to === 'string' ? exists : scope(ctx, to, 'read')
    return sql`(select t.id from ${sql.table(table)} t where ${isUsable}
      and t.id = ${id ?? null}) as ${sql.ref(name)}`
  })
  const found = await ctx.one<{ [name in Link]: string | null }>(sql`select ${sql.join(columns)}`)
  return found ?? {}
}

/** The people of a project's team who are still users, with their roles on it. */
export function usableTeam(ctx: Context, id: string) {
  return ctx.all<{ user_id: string; role: string | null }>(sql`
    select t.user_id, t.role from project_members t
    join users u on u.organization_id = $organization and u.id = t.user_id
    where ${mine(ctx)} and t.project_id = ${id} and u.deleted_at is null
    order by t.creation_time, t.user_id`)
}
