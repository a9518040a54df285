import type { Context, Query } from './context.ts'
import type { FieldError } from './errors.ts'
import { badRequest } from './errors.ts'
import type { AnyRecord, Field } from './record.ts'
import { rights } from './scope.ts'
import { all, mine, sql } from './sql.ts'

export type Resolved = {
  ids: { [field: string]: string | null }
  /** fails with 400 when a plain id names no record that the caller can see */
  seen: Promise<void>
}

/**
 * Turns what a body says about other records (an id, or an object that names one) into ids, in one
 * query for all of them. What does not exist, is deleted or cannot be seen is 400 naming the field.
 * Plain ids are taken at their word, and `seen` is awaited beside the write: one round trip less.
 */
export async function resolveReferences(
  ctx: Context,
  record: AnyRecord,
  given: { [field: string]: unknown },
): Promise<Resolved> {
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
  refuse(errors)
  if (!asked.length) return { ids, seen: Promise.resolve() }
  const finding = find(ctx, asked)
  const isPlain = asked.every(([name]) => typeof given[name] === 'string')
  if (!isPlain) return { ids: { ...ids, ...(await finding) }, seen: Promise.resolve() }
  for (const [name] of asked) ids[name] = given[name] as string
  const seen = finding.then(() => {})
  // awaited by the write; until then Node shall not call it unhandled
  seen.catch(() => {})
  return { ids, seen }
}

async function find(ctx: Context, asked: [name: string, query: Query][]) {
  const columns = asked.map(([name, query]) => sql`(${query}) as ${sql.ref(name)}`)
  const found = await ctx.one<{ [name: string]: string | null }>(sql`select ${sql.join(columns)}`)
  const missing = asked.filter(([name]) => !found![name])
  refuse(missing.map(([field]) => ({ field, message: 'no such record' })))
  return found!
}

function refuse(errors: FieldError[]) {
  if (!errors.length) return
  throw badRequest(errors.map(({ field, message }) => `${field}: ${message}`).join('; '), errors)
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
