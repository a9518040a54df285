import type { Context, Query } from '../ground/context.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { forbidden } from '../ground/errors.ts'
import { isAnyInScope, scopesOf } from '../record/readable.ts'
import type { AnyRecord, Field, Key, LinkField, Reference, Shown } from '../record/record.ts'
import { isLink, linkedTable } from '../record/record.ts'
import { idsAlike } from './names-alike.ts'
import { registered } from '../record/registry.ts'
import { rights } from '../record/scope.ts'

/**
 * The records that these values name by one of a link's keys (or by `id`), as far as the caller sees
 * them: value → id, of several the oldest. One query. 403 for an app that names records outside its
 * scopes by more than their ids.
 */
export async function lookUpMany(
  ctx: Context,
  field: Field,
  key: string,
  values: string[],
): Promise<Map<string, string>> {
  if (!isLink(field)) return new Map()
  const by = keyOf(field, key)
  checkScope(ctx, field.reference, by)
  const folded = new Map(values.map((value) => [value, by.fold ? by.fold(value) : value]))
  const at = columnOf(by)
  const rows = await ctx.all<{ value: string; id: string }>(sql`
    select value, min(id) as id
    from (select ${at} as value, t.id ${whereNamed(ctx, field, sql`${at} = any(${[...new Set(folded.values())]})`, [by])}) found
    group by value`)
  const ids = new Map(rows.map(({ value, id }) => [value, id]))
  const missing = [...new Set(folded.values())].filter((value) => !ids.has(value))
  const target = field.reference.to?.()
  if (target && isMergeable(target) && missing.length) {
    const visible = nameable(ctx, field.reference)
    for (const [value, id] of await survivorsOf(ctx, target, at, missing, visible))
      ids.set(value, id)
  }
  const left = values.filter((value) => !ids.has(folded.get(value) ?? value))
  for (const [value, [id = '']] of await namedAlike(ctx, field, by, left)) {
    ids.set(folded.get(value) ?? value, id)
  }
  const found = values.map((value) => [value, ids.get(folded.get(value) ?? value)] as const)
  return new Map(found.filter((each): each is [string, string] => each[1] !== undefined))
}

/**
 * The id of the first record that meets a condition on these keys, and what a read shows of it. It is
 * locked until the transaction ends: a concurrent deletion waits, and after a deletion it is not
 * found. The foreign key would take the same lock a moment later, without a look at `deleted_at`.
 */
export function lookUp(ctx: Context, field: LinkField, condition: Query, keys: Key[]): Query {
  for (const key of keys) checkScope(ctx, field.reference, key)
  const shown = Object.values(joined(field)).map(({ column }) => sql.ref(`t.${column}`))
  const columns = sql.join([sql`t.id`, ...shown])
  return sql`select json_build_array(${columns}) ${whereNamed(ctx, field, condition, keys)}
    order by t.id limit 1 for key share of t`
}

/** The ids of the records of a link that the caller may look up, by names that are alike: see `idsAlike`. */
export async function namedAlike(
  ctx: Context,
  field: LinkField,
  key: Key,
  names: string[],
): Promise<Map<string, string[]>> {
  if (!key.name || !names.length) return new Map()
  return idsAlike(ctx, field, key.name, names, (condition) =>
    whereNamed(ctx, field, condition, [key]),
  )
}

/** Whether records of a kind can be merged into others. */
export function isMergeable({ events }: AnyRecord): boolean {
  return events.on.merged !== undefined
}

/**
 * The records that are left of merged ones, by a value that the merged ones have in a column of `t`: value → id. `visible`
 * is a condition over `t` for those that are left.
 */
export async function survivorsOf(
  ctx: Context,
  record: AnyRecord,
  at: Query,
  values: string[],
  visible?: Query,
): Promise<Map<string, string>> {
  const named = sql`${at} = any(${values})`
  const rows = await ctx.all<{ value: string; id: string }>(sql`
    with ${mergedInto(ctx, whereMerged(ctx, record.table, at, named))}
    select up.value, min(t.id) as id from up join ${sql.table(record.table)} t on ${mine(ctx)} and t.id = up.id
    where ${all(sql`t.deleted_at is null`, visible)} group by up.value`)
  return new Map(rows.map(({ value, id }) => [value, id]))
}

/** The same as `lookUp` for what is left of a merged record that meets the condition. */
export function lookUpMerged(ctx: Context, field: LinkField, condition: Query): Query {
  const { reference } = field
  const table = reference.to?.().table ?? reference.table
  const shown = Object.values(joined(field)).map(({ column }) => sql.ref(`t.${column}`))
  const columns = sql.join([sql`t.id`, ...shown])
  const visible = nameable(ctx, reference)
  return sql`with ${mergedInto(ctx, whereMerged(ctx, table, sql`t.id`, condition))}
    select json_build_array(${columns}) from ${sql.table(table)} t
    where ${all(mine(ctx), sql`t.id in (select up.id from up)`, sql`t.deleted_at is null`, visible)}
    order by t.id limit 1 for key share of t`
}

/**
 * What merged records became, after any number of merges, as the relation `up (value, id)` of a query; `first` selects a
 * value and `m.primary_id` of rows of `merged_records m`. `up` also has the records in between, which are deleted.
 */
export function mergedInto(ctx: Context, first: Query): Query {
  return sql`recursive up (value, id) as (${first}
    union select up.value, m.primary_id from up join merged_records m on ${mine(ctx, 'm')} and m.id = up.id)`
}

/** The first step from merged rows of a table that meet a condition over `t`. */
function whereMerged(ctx: Context, table: string, value: Query, condition: Query): Query {
  return sql`select ${value}, m.primary_id
    from merged_records m join ${sql.table(table)} t on ${mine(ctx)} and t.id = m.id
    where ${all(mine(ctx, 'm'), sql`t.deleted_at is not null`, condition)}`
}

/** The rows that a condition on these keys of a link finds, as far as the caller may look them up. */
function whereNamed(ctx: Context, { reference }: LinkField, condition: Query, keys: Key[]): Query {
  const target = reference.to?.()
  const isById = keys.every(({ column }) => column === 'id')
  // whoever knows a user's id has it from a record that shows it
  const visible = !target && isById ? undefined : nameable(ctx, reference)
  const alive = !target || target.life.softDelete ? sql`t.deleted_at is null` : undefined
  return sql`from ${sql.table(target?.table ?? linkedTable(reference))} t
    where ${all(mine(ctx), alive, condition, visible)}`
}

/** The record whose rows a link names; undefined where they are those of no record. */
export function targetOf(reference: Reference): AnyRecord | undefined {
  const table = linkedTable(reference)
  return reference.to?.() ?? registered().find((record) => record.table === table)
}

/**
 * The rows that the caller may find by what names them, as a condition over `t`: those that they may read,
 * and themselves; undefined for all.
 */
export function nameable(ctx: Context, reference: Reference): Query | undefined {
  const target = targetOf(reference)
  const visible = target && rights(ctx, target, 'read')
  if (!visible || !reference.isCaller) return visible
  return sql`(t.id = ${ctx.actor.user_id} or ${visible})`
}

/** 403 for an app without a scope for a link's records, but by id: the answer would tell which exist. */
function checkScope(ctx: Context, { to, table }: Reference, { column }: Key): void {
  if (column === 'id' || !to || isAnyInScope(ctx, table)) return
  throw forbidden(
    `Naming ${table} by more than the id needs the scope ${scopesOf(table).join(' or ')}`,
    'missing_scope',
  )
}

/** The columns that a read of the link joins; none where it shows the id or knows the rest already. */
export function joined({ reference }: LinkField): Shown {
  return (!reference.isCached && reference.shows) || {}
}

/** A key of a link by its name; the id for any other name. */
export function keyOf({ reference }: LinkField, key: string): Key {
  return reference.by[key] ?? { column: 'id' }
}

/** The column of a key, folded where it is compared in any case. */
export function columnOf({ column, anyCase }: Key): Query {
  const at = sql.ref(`t.${column}`)
  return anyCase ? sql`lower(${at})` : at
}
