import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { Action } from '../../kit/ground/operation.ts'
import type { Scoped } from '../../kit/record/scope.ts'
import { containing, levelOf, mayAll, readsAll, rights } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { isAttachedProject } from './attachment.ts'
import { sharedAlone } from './shared.ts'

const common = { table: 'projects', life: { softDelete: true } }
const commonRights = {
  owners: ['created_by', 'project_owner', 'project_manager'],
  owned: (people: (string | null)[]) => member(sql`any(${people})`),
  attached,
  takesPart,
  shared: sharedAlone,
}

/** The rights on a project, separate from its fields, because other records use them. */
export const projectRights = {
  ...common,
  module: 'projects',
  rights: {
    ...commonRights,
    visible: (ctx: Context) => sql`(t.project_type = 'project' and ${open(ctx)})`,
    seesAll: (actor: Actor) => seesAll(actor, 'projects'),
  },
} satisfies Scoped

/** The rights on a deal. */
export const dealRights = {
  ...common,
  module: 'deals',
  rights: {
    ...commonRights,
    visible: (ctx: Context) => sql`(t.project_type = 'deal' and ${open(ctx)})`,
    seesAll: (actor: Actor) => seesAll(actor, 'deals'),
  },
} satisfies Scoped

/** The rights on projects and deals, each row with those of its own kind. */
export const eitherRights = {
  ...projectRights,
  rights: {
    ...projectRights.rights,
    seesAll: seesAllProjects,
    decide: rightsOf([projectRights, dealRights]),
  },
} satisfies Scoped

/** The rights on parts of projects and deals, such as milestones, which are shared one by one. */
export const containerRights = {
  ...eitherRights,
  rights: {
    ...eitherRights.rights,
    decide: rightsOf([containing(projectRights), containing(dealRights)]),
  },
} satisfies Scoped

function rightsOf(kinds: Scoped[]) {
  return (ctx: Context, action: Action): Query => {
    // both have a condition for hidden ones, so neither is undefined
    const each = kinds.map((kind) => rights(ctx, kind, action) ?? sql`true`)
    // a superset of both, as a condition of its own: an index serves it, and none serves alternatives
    const near = ctx.actor.is_confined ? isAttachedProject(ctx) : undefined
    return all(near, sql`(${sql.join(each, sql` or `)})`)
  }
}

/** Whether a reader sees every project and deal, hidden ones too. */
export function seesAllProjects(actor: Actor): boolean {
  return seesAll(actor, 'projects', 'deals')
}

function seesAll(actor: Actor, ...modules: string[]): boolean {
  return readsAll(actor, modules) && mayAll(actor, 'roles', 'update')
}

/** Hidden ones are for their own people, and for those who administer the organization. */
function open({ actor }: Context): Query {
  if (mayAll(actor, 'roles', 'update')) return sql`true`
  const me = actor.user_id
  return sql`((t.visible_to_all and not t.is_private) or t.created_by = ${me}
    or t.project_owner = ${me} or t.project_manager = ${me} or ${member(sql`${me}`)})`
}

/**
 * What a confined caller takes part in, and what belongs to its account. Parts of deals are
 * hidden from callers who may read no deals.
 */
function attached(ctx: Context): Query {
  const isOpen = levelOf(ctx.actor, 'deals', 'read') !== 'none'
  return all(isOpen ? undefined : sql`t.project_type = 'project'`, isAttachedProject(ctx))
}

function takesPart({ user_id: me }: Actor): Query {
  return sql`(t.created_by = ${me} or t.project_owner = ${me} or t.project_manager = ${me}
    or ${member(sql`${me}`)})`
}

function member(who: Query): Query {
  return sql`exists (select from project_members m where m.organization_id = $organization
    and m.project_id = t.id and m.user_id = ${who})`
}
