import type { Actor, Context, Level, Query } from '../ground/context.ts'
import { forbidden } from '../ground/errors.ts'
import type { Action, Can } from '../ground/operation.ts'
import type { AnyRecord } from './record.ts'
import { all, mine, sql } from '../ground/sql.ts'

/** What of a record decides who may do what with it. */
export type Scoped = Pick<AnyRecord, 'module'> & {
  rights: Omit<AnyRecord['rights'], 'defaults'>
  life: Pick<AnyRecord['life'], 'softDelete'>
}

/** The caller's level for an action on a module. */
export function levelOf(actor: Actor, module: string, action: Action): Level {
  return actor.permission[module]?.[action] ?? 'none'
}

/** Whether the caller may do this with every record of a module; nobody who is confined may. */
export function mayAll(actor: Actor, module: string, action: Action): boolean {
  return !actor.is_confined && levelOf(actor, module, action) === 'all'
}

/** Whether the caller sees every record of these modules, its own and others'. */
export function readsAll(actor: Actor, modules: string[]): boolean {
  return modules.every((module) => mayAll(actor, module, 'read'))
}

/** Whether the caller may call at all; which records it then touches is decided in the SQL. */
export function may(actor: Actor, can: Can): boolean {
  if (typeof can === 'string') return true
  return [can.module, can.or ?? []]
    .flat()
    .some((module) => levelOf(actor, module, can.action) !== 'none')
}

/** 403 for a personal access token that may do less than its user, where all that the user may do counts. */
export function requireWholeToken({ access_token }: Actor): void {
  if (access_token?.isWhole === false) {
    throw forbidden('This access token needs the scope all.write', 'missing_scope')
  }
}

/** 403 where the caller's role may not create records of a module. */
export function mayCreate(ctx: Context, module: string) {
  if (levelOf(ctx.actor, module, 'create') === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}

/**
 * The records of the caller's organization that it may act on, as a condition over `t`. Own means
 * created by, owned by or assigned to the caller; team adds everyone below in `reports_to`; a
 * confined caller must also be attached to the record.
 */
export function scope(ctx: Context, record: Scoped, action: Action): Query {
  return all(
    mine(ctx),
    record.life.softDelete ? sql`t.deleted_at is null` : undefined,
    rights(ctx, record, action),
  )
}

/** How long a deleted record can be restored, in days. */
const restorableDays = 30

/** The deleted records of the caller's organization that it may restore, as a condition over `t`. */
export function restorable(ctx: Context, record: Scoped): Query {
  const since = new Date(+ctx.now() - restorableDays * 86_400_000).toISOString()
  return all(mine(ctx), sql`t.deleted_at > ${since}`, rights(ctx, record, 'delete'))
}

/** The rights alone, without organization and deletion; undefined when everything is allowed. */
export function rights(ctx: Context, record: Scoped, action: Action): Query | undefined {
  const { actor } = ctx
  const { decide, owners, owned, visible } = record.rights
  if (decide) return decide(ctx, action)
  const level = levelOf(actor, record.module, action)
  if (level === 'none') return sql`false`
  const attached = actor.is_confined ? audience(ctx, record) : undefined
  const limit = visible?.(ctx, action)
  if (level === 'all') return attached || limit ? all(attached, limit) : undefined
  const people = level === 'own' ? [actor.user_id] : actor.team
  const own = owners.map((column) => sql`${sql.ref(`t.${column}`)} = any(${people})`)
  if (owned) own.push(owned(people))
  return all(sql`(${sql.join(own, sql` or `)})`, attached, limit)
}

/** The ids of the rows of a record, not deleted, that a confined caller is attached to, as a subquery. */
export function attachedIds(
  ctx: Context,
  { table, rights: { attached } }: Pick<AnyRecord, 'table' | 'rights'>,
): Query {
  return sql`(select t.id from ${sql.table(table)} t
    where ${all(mine(ctx), attached?.(ctx) ?? sql`false`)} and t.deleted_at is null)`
}

/**
 * What a confined caller sees of a record, as a condition over `t`: what they made or take part in, and
 * what belongs to what they are attached to. Of that, customers and partners see what is shared.
 */
export function audience(ctx: Context, { rights }: Scoped): Query {
  const { actor } = ctx
  const { attached, takesPart, shared } = rights
  const within = attached?.(ctx) ?? sql`false`
  const open = shared && actor.is_external ? sql`(${sql.raw(shared)} and ${within})` : within
  return takesPart ? sql`(${takesPart(actor)} or ${open})` : open
}

/** The same rights, without regard to whether the rows themselves are shared: for what they contain. */
export function containing<S extends Scoped>(record: S): S {
  return { ...record, rights: { ...record.rights, shared: undefined } }
}
