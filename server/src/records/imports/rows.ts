import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure, badRequest, conflict } from '../../kit/ground/errors.ts'
import type { Updated, Inserted } from '../../kit/write/many.ts'
import { insertMany, updateMany } from '../../kit/write/many.ts'
import { lookUpMany } from '../../kit/read/look-up.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { reaches, oneAtATime } from '../cycle.ts'
import { normalDomain } from '../companies/domain.ts'
import type { Named, Read } from './cells.ts'
import { readRow } from './cells.ts'
import type { Line } from './csv.ts'
import type { Importable } from './importable.ts'
import { checkNamed } from './importable.ts'
import type { Options } from './import.ts'
import type { Target } from './mapping.ts'

type Body = { [key: string]: unknown }

/** What became of a row. */
export type Outcome = Line &
  (
    | { is: 'created'; inserted: Inserted }
    | { is: 'updated'; changed: Updated }
    | { is: 'skipped' }
    | { is: 'failed'; failure: Failure }
  )

/** A row whose links are found. */
type Linked = Read & { ids: { [field: string]: string } }

/** How the rows of an import are read. */
export type Plan = {
  importable: Importable
  targets: Map<number, Target>
  options: Options
  width: number
}

/**
 * Imports rows in the caller's transaction: the outcome of each. A row that may be the same as an
 * earlier one of them, or names it, waits until that one is written, so that their number decides
 * how many rounds of statements there are, and not the number of rows.
 */
export async function importLines(ctx: Context, plan: Plan, lines: Line[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let waiting: Read[] = []
  for (const [at, line] of lines.entries()) {
    // others get their turn
    if (at % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
    try {
      const { importable, targets, options, width } = plan
      waiting.push(readRow(importable, targets, options, line, width))
    } catch (error) {
      outcomes.push({ ...line, is: 'failed', failure: asFailure(error) })
    }
  }
  while (waiting.length) {
    const { now, later } = round(plan, waiting)
    waiting = [...(await importRound(ctx, plan, now, outcomes)), ...later]
  }
  return outcomes.sort((a, b) => a.line - b.line)
}

/** The rows that no earlier row has anything to do with, and the others. */
function round({ importable }: Plan, rows: Read[]): { now: Read[]; later: Read[] } {
  const names = new Set<string>()
  const now: Read[] = []
  const later: Read[] = []
  for (const row of rows) {
    const own = importable.names(row.body)
    if (row.id) own.push(row.id)
    const named = (row.links[importable.parent] ?? []).map(({ text }) => text.toLowerCase())
    const waits = [...own, ...named].some((name) => names.has(name))
    ;(waits ? later : now).push(row)
    for (const name of own) names.add(name)
  }
  return { now, later }
}

/** One round; returns the rows that must wait for another one. */
async function importRound(
  ctx: Context,
  plan: Plan,
  rows: Read[],
  outcomes: Outcome[],
): Promise<Read[]> {
  const { importable, options } = plan
  const { record, keyOf } = importable
  const fail = ({ line, cells }: Read, failure: Failure) =>
    outcomes.push({ line, cells, is: 'failed', failure })
  const linked: Linked[] = []
  const resolve = await linkResolver(ctx, importable, rows)
  for (const row of rows) {
    try {
      linked.push({ ...row, ids: resolve(row) })
    } catch (error) {
      fail(row, asFailure(error))
    }
  }
  const columnsOf = await importable.columns?.(ctx)
  const existing = await findExisting(ctx, importable, linked)
  const inserts: { row: Linked; body: Body; links: Linked['ids']; set: Body }[] = []
  const updates = new Map<string, Linked>()
  const again: Read[] = []
  for (const row of linked) {
    const id = existing(row)
    if (id && options.on_duplicate === 'skip') {
      outcomes.push({ line: row.line, cells: row.cells, is: 'skipped' })
    } else if (id && options.on_duplicate === 'update') {
      if (updates.has(id)) again.push(row)
      else updates.set(id, row)
    } else {
      try {
        checkNamed(importable, row.body)
        const unique_key = id ? null : keyOf(row.body)
        const set = { unique_key, record_source: ctx.source, ...columnsOf?.(row.body) }
        inserts.push({ row, body: withoutNulls(row.body), links: row.ids, set })
      } catch (error) {
        fail(row, asFailure(error))
      }
    }
  }
  for (const [id, failure] of await cycles(ctx, importable, updates, again)) {
    const row = updates.get(id)
    if (row) fail(row, failure)
    updates.delete(id)
  }
  for (const row of again) for (const [id, each] of updates) if (each === row) updates.delete(id)

  const inserted = await insertMany(ctx, record, inserts)
  for (const [at, result] of inserted.entries()) {
    const row = inserts[at]?.row
    if (!row) continue
    const { line, cells } = row
    if (result instanceof Failure) fail(row, result)
    else outcomes.push({ line, cells, is: 'created', inserted: result })
  }
  const set = (before: Body, after: Body): Body => ({
    ...(keyOf(before) === keyOf(after) ? {} : { unique_key: keyOf(after) }),
    ...columnsOf?.(after, before),
  })
  const changes = [...updates].map(([id, row]) => ({
    row,
    id,
    body: row.body,
    links: row.ids,
    set,
  }))
  const changed = await updateMany(ctx, record, changes, (all) => takenKeys(ctx, importable, all))
  for (const [at, result] of changed.entries()) {
    const row = changes[at]?.row
    if (!row) continue
    const { line, cells } = row
    if (result instanceof Failure) fail(row, result)
    else if (!result.before) outcomes.push({ line, cells, is: 'skipped' })
    else outcomes.push({ line, cells, is: 'updated', changed: result })
  }
  return again.sort((a, b) => a.line - b.line)
}

/** Finds the records that rows name, a query for each way of naming them. */
async function linkResolver(ctx: Context, { record }: Importable, rows: Read[]) {
  const found = new Map<string, Map<string, string>>()
  for (const name of new Set(rows.flatMap(({ links }) => Object.keys(links)))) {
    const field = record.fields[name]
    if (!field?.reference) continue
    const lookUps = new Map<string, Set<string>>()
    for (const { links } of rows) {
      for (const named of links[name] ?? []) {
        for (const key of keysFor(field.reference.by, named)) {
          lookUps.set(key, (lookUps.get(key) ?? new Set()).add(named.text))
        }
      }
    }
    for (const [key, texts] of lookUps) {
      found.set(`${name}.${key}`, await lookUpMany(ctx, field, key, [...texts]))
    }
  }
  return ({ links }: Read): Linked['ids'] => {
    const ids: Linked['ids'] = {}
    const errors: FieldError[] = []
    for (const [name, named] of Object.entries(links)) {
      const by = record.fields[name]?.reference?.by ?? {}
      const ways = named.flatMap((each) => keysFor(by, each).map((key) => ({ key, each })))
      const id = ways
        .map(({ key, each }) => found.get(`${name}.${key}`)?.get(each.text))
        .find((each) => each !== undefined)
      if (id) ids[name] = id
      else errors.push({ field: name, message: `no such record: ${named.at(-1)?.text}` })
    }
    if (errors.length) {
      throw badRequest(
        errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
        errors,
      )
    }
    return ids
  }
}

/** The keys by which a text may name a record; where the column has none, those that are possible. */
function keysFor(by: { [key: string]: unknown }, { key, text }: Named): string[] {
  if (key !== null) return [key]
  return Object.keys(by).filter((each) => {
    if (each === 'domain') return normalDomain(text) !== undefined
    if (each === 'email') return text.includes('@')
    // the id goes by several names
    return each === 'company_name' || (each === 'id' && /^[0-9a-z]{25}$/.test(text))
  })
}

/** The record that a row is the same as: by its id, its unique key, or its name alone. */
async function findExisting(ctx: Context, importable: Importable, rows: Read[]) {
  const { record, keyOf, alike } = importable
  const texts = (values: (string | null | undefined)[]) => [
    ...new Set(values.filter((each) => typeof each === 'string')),
  ]
  const find = async (column: string, values: string[]) => {
    if (!values.length) return new Map<string, string>()
    const at = sql.ref(`t.${column}`)
    const found = await ctx.all<{ value: string; id: string }>(sql`
      select ${at} as value, min(t.id) as id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and ${at} = any(${values}) group by ${at}`)
    return new Map(found.map(({ value, id }) => [value, id]))
  }
  const ids = await find('id', texts(rows.map(({ id }) => id)))
  const keys = await find('unique_key', texts(rows.map(({ body }) => keyOf(body))))
  const names = alike
    ? await find(alike.column, texts(rows.map(({ body }) => alike.of(body))))
    : undefined
  return ({ id, body }: Read): string | undefined =>
    ids.get(id ?? '') ?? keys.get(keyOf(body) ?? '') ?? names?.get(alike?.of(body) ?? '')
}

/**
 * The updates whose parent would close a cycle. Each depends on what the others would change, so that
 * only one of a round may change its parent; the others are put into `again`.
 */
async function cycles(
  ctx: Context,
  { record, parent }: Importable,
  updates: Map<string, Linked>,
  again: Read[],
): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  const pointing = [...updates].flatMap(([id, row]) => {
    const to = row.ids[parent]
    return to ? [{ id, row, to }] : []
  })
  if (!pointing.length) return refused
  const column = record.fields[parent]?.column ?? parent
  await oneAtATime(ctx, record.table)
  const now = await ctx.all<{ id: string; up: string | null }>(sql`
    select t.id, ${sql.ref(`t.${column}`)} as up from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.id = any(${pointing.map(({ id }) => id)})`)
  const pointsTo = new Map(now.map(({ id, up }) => [id, up]))
  const moved = pointing.filter(({ id, to }) => pointsTo.get(id) !== to)
  for (const [at, { id, row, to }] of moved.entries()) {
    if (at > 0) again.push(row)
    else if (await reaches(ctx, { table: record.table, column }, to, [id])) {
      const message = `would create a cycle: that ${record.word} leads back to this one`
      refused.set(id, badRequest(`${parent}: ${message}`, [{ field: parent, message }]))
    }
  }
  return refused
}

/** The changes that give a record a unique key which another one has. */
export async function takenKeys(
  ctx: Context,
  { record }: Importable,
  changes: { id: string; columns: Body }[],
): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  const keyed = changes.flatMap(({ id, columns: { unique_key } }) =>
    typeof unique_key === 'string' ? [{ id, unique_key }] : [],
  )
  if (!keyed.length) return refused
  const taken = await ctx.all<{ id: string; unique_key: string }>(sql`
    select t.id, t.unique_key from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.deleted_at is null
      and t.unique_key = any(${keyed.map(({ unique_key }) => unique_key)})`)
  const holders = new Map(taken.map(({ id, unique_key }) => [unique_key, id]))
  for (const { id, unique_key } of keyed) {
    if ((holders.get(unique_key) ?? id) !== id) {
      refused.set(id, conflict(`Another ${record.word} is that already`, 'duplicate'))
    }
    holders.set(unique_key, id)
  }
  return refused
}

/** A new record has nothing to clear. */
function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}
