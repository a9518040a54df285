import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { Action } from '../../kit/ground/operation.ts'
import type { Scoped } from '../../kit/record/scope.ts'
import { levelOf, readsAll, rights } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'

const common = {
  table: 'projects',
  owners: ['created_by', 'project_owner', 'project_manager'],
  owned: (people: (string | null)[]) => member(sql`any(${people})`),
  softDelete: true,
  attached,
}

/** Who may do what with a project, apart from its fields: other records build on it. */
export const projectRights = {
  ...common,
  module: 'projects',
  visible: (ctx: Context) => sql`(t.project_type = 'project' and ${open(ctx)})`,
  seesAll: (actor: Actor) => seesAll(actor, 'projects'),
} satisfies Scoped

/** The same of a deal. */
export const dealRights = {
  ...common,
  module: 'deals',
  visible: (ctx: Context) => sql`(t.project_type = 'deal' and ${open(ctx)})`,
  seesAll: (actor: Actor) => seesAll(actor, 'deals'),
} satisfies Scoped

/** Of either, each row with the rights of its own kind. */
export const eitherRights = {
  ...projectRights,
  seesAll: seesAllProjects,
  rights(ctx: Context, action: Action) {
    // what is hidden is a condition of both, so neither is ever without one
    const either = [projectRights, dealRights].map((each) => rights(ctx, each, action) ?? sql`true`)
    return sql`(${sql.join(either, sql` or `)})`
  },
} satisfies Scoped

/** Whether a reader sees every project and deal, hidden ones too. */
export function seesAllProjects(actor: Actor): boolean {
  return seesAll(actor, 'projects', 'deals')
}

function seesAll(actor: Actor, ...modules: string[]): boolean {
  return readsAll(actor, modules) && levelOf(actor, 'roles', 'update') === 'all'
}

/** Hidden ones are for their own people, and for those who administer the organization. */
function open({ actor }: Context): Query {
  if (levelOf(actor, 'roles', 'update') === 'all') return sql`true`
  const me = actor.user_id
  return sql`((t.visible_to_all and not t.is_private) or t.created_by = ${me}
    or t.project_owner = ${me} or t.project_manager = ${me} or ${member(sql`${me}`)})`
}

/** A confined caller sees what it is a member of, and what belongs to its account. */
function attached(actor: Actor): Query {
  return sql`(${member(sql`${actor.user_id}`)} or t.account_id = ${actor.account_id}
    or exists (select from contacts c where c.organization_id = t.organization_id
      and c.linked_user = ${actor.user_id} and c.deleted_at is null
      and (c.id = t.customer_contact or c.company_id = coalesce(t.company_id,
        (select a.company_id from accounts a where a.organization_id = t.organization_id
          and a.id = t.account_id)))))`
}

function member(who: Query): Query {
  return sql`exists (select from project_members m where m.organization_id = t.organization_id
    and m.project_id = t.id and m.user_id = ${who})`
}
