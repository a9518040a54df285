import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import type { AnyRecord, Draft, Patch } from '../../kit/record/record.ts'
import { survivorsOf } from '../../kit/read/look-up.ts'
import { rights, scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { refuseCycle } from '../../kit/write/cycle.ts'
import { lock, tryInsert, update, written } from '../../kit/write/write.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'

/** What a create does with duplicates: refuse, update the existing record, or allow another one. */
export type DuplicatePolicy = { on_duplicate?: 'update' | 'fail'; allow_duplicate?: boolean }

/** The options for that policy, as properties of a query or a body. */
export const duplicateSwitches = {
  on_duplicate: Type.Optional(
    enumeration(['fail', 'update'], {
      title: 'OnDuplicate',
      description: 'update: an existing record is updated instead, and answered with 200',
    }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({ description: 'create another record even where one exists' }),
  ),
}

/** The query of a create that looks for duplicates. */
export const duplicateQuery = Type.Object(duplicateSwitches)

/** How a record is recognized as a duplicate of another; see `createOnce`. */
export type Uniqueness = {
  /** the value of `unique_key`; null if the record has nothing by which it can be recognized */
  key: string | null
  /** the fields and columns that identify it: a record that was found by what was merged into it keeps its own */
  identifying: readonly string[]
  /** the fields that the body does not say itself: a record that exists keeps its own */
  derived?: readonly string[]
  /** a condition over `t` for other rows that count as the same record */
  same?: Query
  /** the field that may point to another record of the same type, but not in a cycle */
  parent: string
  /** further columns that no body can set */
  set?: { [column: string]: unknown }
}

/** The body without these options, and the policy; options in the query take precedence. */
export function splitPolicy<B extends DuplicatePolicy>(body: B, query: DuplicatePolicy) {
  const { on_duplicate, allow_duplicate, ...fields } = body
  return { fields, policy: { on_duplicate, allow_duplicate, ...defined(query) } }
}

/**
 * Creates a record unless one with the same `unique_key` exists: then 409 with its id, or an update
 * of it if the policy says so.
 */
export async function createOnce<R extends AnyRecord>(
  ctx: Context,
  record: R,
  { fields, policy }: { fields: Draft<R>; policy: DuplicatePolicy },
  { key: unique_key, identifying, derived = [], same, parent, set = {} }: Uniqueness,
): Promise<Answer> {
  const key = policy.allow_duplicate ? null : unique_key
  const updates = policy.on_duplicate === 'update'
  const find = () =>
    ctx.one<{ id: string }>(sql`
      select t.id from ${sql.table(record.table)} t where ${scope(ctx, record, 'read')}
        and (t.unique_key = ${key} ${same ? sql`or ${same}` : sql``})
      order by t.unique_key is distinct from ${key}, t.id limit 1`)
  let id = key && (same || updates) ? (await find())?.id : undefined
  // what was merged stays merged: its key names the record that is left
  const left = key && updates && !id ? await leftOf(ctx, record, key) : undefined
  if (!id && !left) {
    const created = await tryInsert(ctx, record, fields, {
      set: { unique_key: key, record_source: ctx.source, ...set },
      unlessTaken: true,
    })
    if (created) return written(created, true)
    id = (await find())?.id
  }
  const existing = id ?? left
  if (!existing || !updates) throw taken(record, existing)
  const kept = new Set([...derived, ...(left ? identifying : [])])
  const said = <B extends object>(body: B) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !kept.has(name))) as Partial<B>
  const found = await lock(ctx, record, existing, 'update')
  const updated = await update(ctx, found, said(fields), { set: said(set) })
  if (isSet(fields, parent)) await refuseCycle(ctx, record, parent, existing)
  return written(updated, false)
}

/** The record that is left of a merged one with this key. */
async function leftOf(ctx: Context, record: AnyRecord, key: string): Promise<string | undefined> {
  const visible = rights(ctx, record, 'read')
  return (await survivorsOf(ctx, record, sql`t.unique_key`, [key], visible)).get(key)
}

/**
 * Updates a record whose `unique_key` may change: 409 if another record has the new key, with its id if the caller
 * may see it. `parent` as in `Uniqueness`: 400 for a cycle.
 */
export async function updateOnce<R extends AnyRecord>(
  ctx: Context,
  record: R,
  id: string,
  body: Patch<R>,
  set: { unique_key?: string | null; [column: string]: unknown },
  parent: string,
  ifMatch?: number[],
): Promise<Answer> {
  const locked = await lock(ctx, record, id, 'update', ifMatch)
  if (typeof set.unique_key === 'string') {
    const other = await ctx.one<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and t.unique_key = ${set.unique_key} and t.id <> ${id}`)
    if (other) throw taken(record, other.id)
  }
  const updated = await update(ctx, locked, body, { set })
  if (isSet(body, parent)) await refuseCycle(ctx, record, parent, id)
  return written(updated)
}

function taken(record: AnyRecord, id: string | undefined) {
  const data = id === undefined ? undefined : { [record.key]: id }
  return conflict(`This ${record.word} already exists`, 'duplicate', data)
}

function defined({ on_duplicate, allow_duplicate }: DuplicatePolicy): DuplicatePolicy {
  return {
    ...(on_duplicate === undefined ? {} : { on_duplicate }),
    ...(allow_duplicate === undefined ? {} : { allow_duplicate }),
  }
}

function isSet(body: object, field: string): boolean {
  return Boolean((body as { [field: string]: unknown })[field])
}
