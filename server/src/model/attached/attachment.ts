import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { commonTable } from '../../kit/ground/common-table.ts'
import { sql } from '../../kit/ground/sql.ts'

// What a confined caller is attached to, as conditions over `t`. Each way of being attached is a branch with an
// index of its own, so that the cost depends on what the caller is attached to and not on what the organization
// has: checking 150,000 projects row by row took half a second in every read. A statement refers to
// them at up to ten places; each is one common table expression, without which planning took three times as long.

/** The accounts of the caller, of its contacts and their companies, and of the projects it works on. */
export function isAttachedAccount(ctx: Context): Query {
  return isIn(ctx, 'attached_accounts', () => [
    sql`select a.id from accounts a where a.organization_id = $organization and a.id = ${ctx.actor.account_id}`,
    sql`select a.id from ${linkedContacts(ctx)} c
      join accounts a on a.organization_id = $organization and a.customer_contact = c.id`,
    sql`select a.id from ${linkedContacts(ctx)} c
      join accounts a on a.organization_id = $organization and a.company_id = c.company_id`,
    sql`select p.account_id from project_members m
      join projects p on p.organization_id = $organization and p.id = m.project_id
      where m.organization_id = $organization and m.user_id = ${ctx.actor.user_id}
        and p.deleted_at is null and p.account_id is not null`,
  ])
}

/** The projects and deals that the caller takes part in, and those of its account and its contacts. */
export function isAttachedProject(ctx: Context): Query {
  const me = ctx.actor.user_id
  const projects = sql`select p.id from projects p where p.organization_id = $organization`
  return isIn(ctx, 'attached_projects', () => [
    sql`${projects} and p.created_by = ${me}`,
    sql`${projects} and p.project_owner = ${me}`,
    sql`${projects} and p.project_manager = ${me}`,
    sql`${projects} and p.account_id = ${ctx.actor.account_id}`,
    sql`select m.project_id from project_members m where m.organization_id = $organization and m.user_id = ${me}`,
    sql`select p.id from ${linkedContacts(ctx)} c
      join projects p on p.organization_id = $organization and p.customer_contact = c.id`,
    sql`select p.id from ${linkedContacts(ctx)} c
      join projects p on p.organization_id = $organization and p.company_id = c.company_id`,
    // a project without a company belongs to that of its account
    sql`select p.id from ${linkedContacts(ctx)} c
      join accounts a on a.organization_id = $organization and a.company_id = c.company_id
      join projects p on p.organization_id = $organization and p.account_id = a.id and p.company_id is null`,
  ])
}

/** The companies of the caller's account and contacts. */
export function isAttachedCompany(ctx: Context): Query {
  return isIn(ctx, 'attached_companies', () => companiesOf(ctx))
}

/** The contacts that are the caller, and those of its companies. */
export function isAttachedContact(ctx: Context): Query {
  return isIn(ctx, 'attached_contacts', () => [
    sql`select c.id from ${linkedContacts(ctx, { deletedToo: true })} c`,
    ...companiesOf(ctx).map(
      (companies) => sql`select c.id from (${companies}) k
        join contacts c on c.organization_id = $organization and c.company_id = k.id`,
    ),
  ])
}

function companiesOf(ctx: Context): Query[] {
  return [
    sql`select a.company_id as id from accounts a where a.organization_id = $organization
      and a.id = ${ctx.actor.account_id} and a.deleted_at is null and a.company_id is not null`,
    sql`select c.company_id as id from ${linkedContacts(ctx)} c where c.company_id is not null`,
  ]
}

/** The contacts that are linked to the caller, as a table of `id` and `company_id`. */
function linkedContacts({ actor }: Context, { deletedToo = false } = {}): Query {
  return sql`(select c.id, c.company_id from contacts c where c.organization_id = $organization
    and c.linked_user = ${actor.user_id}${deletedToo ? sql`` : sql` and c.deleted_at is null`})`
}

/** The common tables of a caller by their names, so that a statement contains each only once. */
const tables = new WeakMap<Actor, Map<string, Query>>()

function isIn({ actor }: Context, name: string, ways: () => Query[]): Query {
  const own = tables.get(actor) ?? new Map<string, Query>()
  tables.set(actor, own)
  const table = own.get(name) ?? commonTable(name, sql.join(ways(), sql` union all `))
  own.set(name, table)
  return sql`t.id in (select id from ${table})`
}
