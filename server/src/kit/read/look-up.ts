import type { Context, Query } from '../ground/context.ts'
import { all, mine, sql } from '../ground/sql.ts'
import type { Field, Key, LinkField, Shown } from '../record/record.ts'
import { isLink } from '../record/record.ts'
import { rights } from '../record/scope.ts'

/**
 * The records that these values name by one of a link's keys (or by `id`), as far as the caller sees
 * them: value → id, of several the oldest. One query.
 */
export async function lookUpMany(
  ctx: Context,
  field: Field,
  key: string,
  values: string[],
): Promise<Map<string, string>> {
  if (!isLink(field)) return new Map()
  const by = keyOf(field, key)
  const folded = new Map(values.map((value) => [value, by.fold ? by.fold(value) : value]))
  const at = columnOf(by)
  const rows = await ctx.all<{ value: string; id: string }>(sql`
    select value, min(id) as id
    from (${lookUp(ctx, field, sql`${at} = any(${[...new Set(folded.values())]})`, at)}) found
    group by value`)
  const ids = new Map(rows.map(({ value, id }) => [value, id]))
  const found = values.map((value) => [value, ids.get(folded.get(value) ?? value)] as const)
  return new Map(found.filter((each): each is [string, string] => each[1] !== undefined))
}

/**
 * The id of the first record that meets a condition; with `value`, that and the id of each. The first
 * one is locked until the transaction ends: a concurrent deletion waits, and after a deletion it is not
 * found. The foreign key would take the same lock a moment later, without a look at `deleted_at`.
 */
export function lookUp(ctx: Context, field: LinkField, condition: Query, value?: Query): Query {
  const { reference } = field
  const target = reference.to?.()
  const table = target?.table ?? 'users'
  const visible = target ? rights(ctx, target, 'read') : undefined
  const alive = !target || target.softDelete ? sql`t.deleted_at is null` : undefined
  const where = all(mine(ctx), alive, condition, visible)
  if (value) return sql`select ${value} as value, t.id from ${sql.table(table)} t where ${where}`
  const shown = Object.values(joined(field)).map(({ column }) => sql.ref(`t.${column}`))
  const columns = sql.join([sql`t.id`, ...shown])
  return sql`select json_build_array(${columns}) from ${sql.table(table)} t
    where ${where} order by t.id limit 1 for key share of t`
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
