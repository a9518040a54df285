import type { Context } from '../../kit/ground/context.ts'
import { Failure, badField, badFields, badRequest, conflict } from '../../kit/ground/errors.ts'
import { insertMany, updateMany } from '../../kit/write/many.ts'
import { isMergeable, survivorsOf } from '../../kit/read/look-up.ts'
import { rights, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { reaches, oneAtATime } from '../../kit/write/cycle.ts'
import type { Read } from './cells.ts'
import { errorsOf, withoutWrong } from './cells.ts'
import type { Body, BulkImportable, Fitting, Taken } from './importable.ts'
import { lowered } from './importable.ts'
import { linkResolver } from './links.ts'
import type { Outcome, Plan } from './outcome.ts'
import { asFailure, existsAlready, lineOf, unchanged } from './outcome.ts'

/** A row whose links have been resolved. */
type Linked = Read & { ids: { [field: string]: string } }

/**
 * Imports one round of rows whose records are written in bulk; returns the rows that must wait for
 * another one.
 */
export async function importBulk(
  ctx: Context,
  plan: Plan,
  importable: BulkImportable,
  rows: Read[],
  outcomes: Outcome[],
): Promise<Read[]> {
  const { options } = plan
  const { record, keyOf } = importable
  const again: Read[] = []
  const fail = (row: Read, failure: Failure) => {
    // a cell that the database refuses is left empty like any other, once the rest is written
    const without = failure.status === 400 ? withoutWrong(plan, row, errorsOf(failure)) : undefined
    if (without) again.push(without)
    else outcomes.push({ ...lineOf(row), is: 'failed', failure })
  }
  const linked: Linked[] = []
  const resolve = await linkResolver(ctx, plan, rows)
  for (const row of rows) {
    const { ids, errors } = resolve(row)
    if (errors.length) fail(row, badFields(errors))
    else linked.push({ ...row, ids })
  }
  const columnsAfter = await importable.columnsAfter?.(ctx)
  const existing = await findExisting(ctx, importable, linked, plan)
  const inserts: { row: Linked; body: Body; links: Linked['ids']; set: Body }[] = []
  const updates = new Map<string, Linked>()
  const left = new Set<string>()
  for (const row of linked) {
    const { id, isLeft, match } = existing(row) ?? {}
    if (id && options.on_duplicate === 'skip') {
      plan.taken.add(id)
      const because = match ? `${existsAlready}: ${match.text}` : existsAlready
      outcomes.push({ ...lineOf(row), is: 'skipped', because, record_id: id, match })
    } else if (id && options.on_duplicate === 'update') {
      if (updates.has(id)) again.push(row)
      else updates.set(id, row)
      if (isLeft && updates.get(id) === row) left.add(id)
    } else {
      try {
        const body = { ...row.body, ...importable.whenNew?.(row.body) }
        if (!lowered(body[record.title])) throw badField(record.title, 'is required')
        const unique_key = id ? null : keyOf(body)
        const set = { unique_key, record_source: ctx.source, ...columnsAfter?.(body) }
        inserts.push({ row, body: withoutNulls(body), links: row.ids, set })
      } catch (error) {
        outcomes.push({ ...lineOf(row), is: 'failed', failure: asFailure(error) })
      }
    }
  }
  for (const [id, failure] of await cycles(ctx, importable, updates, again)) {
    const row = updates.get(id)
    if (row) outcomes.push({ ...lineOf(row), is: 'failed', failure })
    updates.delete(id)
  }
  for (const row of again) for (const [id, each] of updates) if (each === row) updates.delete(id)

  const inserted = await insertMany(ctx, record, inserts)
  for (const [at, result] of inserted.entries()) {
    const row = inserts[at]?.row
    if (!row) continue
    if (result instanceof Failure) fail(row, result)
    else {
      plan.taken.add(result.id)
      const match = existing(row)?.id ? undefined : existing(row)?.match
      outcomes.push({ ...lineOf(row), is: 'created', inserted: result, match })
    }
  }
  const set = (before: Body, after: Body): Body => ({
    ...(keyOf(before) === keyOf(after) ? {} : { unique_key: keyOf(after) }),
    ...columnsAfter?.(after, before),
  })
  const changes = [...updates].map(([id, row]) => ({
    row,
    id,
    body: left.has(id) ? withoutIdentity(importable, row.body) : row.body,
    links: row.ids,
    set,
  }))
  const changed = await updateMany(ctx, record, changes, (all) => takenKeys(ctx, importable, all))
  for (const [at, result] of changed.entries()) {
    const change = changes[at]
    if (!change) continue
    const { row, id } = change
    if (result instanceof Failure) {
      fail(row, result)
      continue
    }
    plan.taken.add(id)
    const line = { ...lineOf(row), match: existing(row)?.match }
    if (result.before) outcomes.push({ ...line, is: 'updated', changed: result })
    else outcomes.push({ ...line, is: 'skipped', because: unchanged, record_id: id })
  }
  return again.sort((a, b) => a.line - b.line)
}

/** The body without what identifies another record than the one that it changes. */
function withoutIdentity({ identifying }: BulkImportable, body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !identifying.includes(name)))
}

/**
 * An existing record, and whether it is what is left of a merged one that the row names; `match` if it is known by something
 * else than a key, which has no `id` if it only may be the same.
 */
type Existing = { id?: string; isLeft?: boolean; match?: Fitting }

/** The existing record of a row: by its id, its unique key, or its name alone. */
async function findExisting(
  ctx: Context,
  importable: BulkImportable,
  rows: Linked[],
  { import_id, taken }: Taken,
) {
  const { record, keyOf, alike } = importable
  const texts = (values: (string | null | undefined)[]) => [
    ...new Set(values.filter((each) => typeof each === 'string')),
  ]
  const find = async (column: string, values: string[]): Promise<Map<string, Existing>> => {
    if (!values.length) return new Map()
    const at = sql.ref(`t.${column}`)
    const found = await ctx.all<{ value: string; id: string }>(sql`
      select ${at} as value, min(t.id) as id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and ${at} = any(${values}) group by ${at}`)
    const known = new Map(found.map(({ value, id }): [string, Existing] => [value, { id }]))
    const missing = values.filter((value) => !known.has(value))
    if (!missing.length || !isMergeable(record)) return known
    const left = await survivorsOf(ctx, record, at, missing, rights(ctx, record, 'read'))
    for (const [value, id] of left) known.set(value, { id, isLeft: true })
    return known
  }
  const ids = await find('id', texts(rows.map(({ id }) => id)))
  const keys = await find('unique_key', texts(rows.map(({ body }) => keyOf(body))))
  const names = alike
    ? await find(alike.column, texts(rows.map(({ body }) => alike.of(body))))
    : undefined
  const known = ({ id, body }: Read): Existing | undefined =>
    ids.get(id ?? '') ?? keys.get(keyOf(body) ?? '') ?? names?.get(alike?.of(body) ?? '')
  if (!importable.alikeRows) return known
  // which records may be the same is only shown in previews
  const isAsked = ({ body }: Read) => import_id === null || keyOf(body) === null
  const open = rows.filter((row) => known(row) === undefined && isAsked(row))
  const asked = open.map(({ body, ids: links }) => ({ body, links }))
  // each record is that of one row
  const others = {
    import_id,
    taken: new Set([...taken, ...rows.flatMap((row) => known(row)?.id ?? [])]),
  }
  const found = asked.length ? await importable.alikeRows(ctx, asked, others) : []
  const alikeOf = new Map(open.map((row, at) => [row as Read, found[at]]))
  return (row: Read): Existing | undefined => {
    const alike = alikeOf.get(row)
    if (!alike) return known(row)
    const { isSure, ...match } = alike
    return isSure ? { id: match.id, match } : { match }
  }
}

/**
 * The updates whose parent would create a cycle. Each depends on what the others would change, so
 * only one per round may change its parent; the others are put into `again`.
 */
async function cycles(
  ctx: Context,
  { record, parent }: BulkImportable,
  updates: Map<string, Linked>,
  again: Read[],
): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  if (!parent) return refused
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

/** The changes that would give a record the unique key of another one. */
export async function takenKeys(
  ctx: Context,
  { record }: Pick<BulkImportable, 'record'>,
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
      refused.set(id, conflict(`Another ${record.word} has the same key`, 'duplicate'))
    }
    holders.set(unique_key, id)
  }
  return refused
}

/** The body without nulls: a new record has nothing to clear. */
function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
