import type { Context, Query } from './context.ts'
import type { FieldError } from './errors.ts'
import { badRequest } from './errors.ts'
import type { AnyRecord, Field } from './record.ts'
import { rights } from './scope.ts'
import { all, mine, sql } from './sql.ts'

/**
 * Turns what a body says about other records (an id, or an object that names one) into ids, in one
 * query for all of them. What does not exist, is deleted or cannot be seen is 400 naming the field.
 */
export async function resolveReferences(
  ctx: Context,
  record: AnyRecord,
  given: { [field: string]: unknown },
): Promise<{ [field: string]: string | null }> {
  const asked: [name: string, query: Query][] = []
  const errors: FieldError[] = []
  const ids: { [field: string]: string | null } = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === null) {
      ids[name] = null
      continue
    }
    const condition = conditionOf(record.fields[name]!, value)
    if (condition) asked.push([name, lookUp(ctx, record.fields[name]!, condition)])
    else
      errors.push({
        field: name,
        message: `must be an id or name one: ${keysOf(record.fields[name]!)}`,
      })
  }
  if (asked.length) {
    const columns = asked.map(([name, query]) => sql`(${query}) as ${sql.ref(name)}`)
    const found = (await ctx.one<{ [name: string]: string | null }>(
      sql`select ${sql.join(columns)}`,
    ))!
    for (const [name] of asked) {
      if (found[name]) ids[name] = found[name]
      else errors.push({ field: name, message: 'no such record' })
    }
  }
  if (errors.length) {
    throw badRequest(errors.map(({ field, message }) => `${field}: ${message}`).join('; '), errors)
  }
  return ids
}

function lookUp(ctx: Context, { reference }: Field, condition: Query): Query {
  const target = reference!.to?.()
  const table = target?.table ?? 'users'
  const visible = target ? rights(ctx, target, 'read') : undefined
  const alive = !target || target.softDelete ? sql`t.deleted_at is null` : undefined
  return sql`select t.id from ${sql.table(table)} t
    where ${all(mine(ctx), alive, condition, visible)} order by t.id limit 1`
}

function conditionOf({ reference }: Field, value: unknown): Query | undefined {
  if (typeof value === 'string') return sql`t.id = ${value}`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, { column, fold }] of Object.entries(reference!.by)) {
    const named = (value as { [key: string]: unknown })[key]
    if (typeof named === 'string') {
      return sql`${sql.ref(`t.${column}`)} = ${fold ? fold(named) : named}`
    }
  }
  return undefined
}

function keysOf({ reference }: Field): string {
  return Object.keys(reference!.by).join(', ')
}
