import type { Context } from '../ground/context.ts'
import { absentUser, withDefaults } from '../record/custom.ts'
import { Failure, conflict, forbidden } from '../ground/errors.ts'
import { newId } from '../ground/ids.ts'
import { joinsFor, shapeOf, showsWhole, storedColumnsFor, textRows } from '../read/json.ts'
import type { Action } from '../ground/operation.ts'
import type { AnyRecord } from '../record/record.ts'
import { resolverOf } from './references.ts'
import { rights, scope } from '../record/scope.ts'
import { mine, sql } from '../ground/sql.ts'
import { about } from './announce.ts'
import type { Described } from './announce-many.ts'
import { announceRows, readMany } from './announce-many.ts'
import { differences, firstValues, shownOtherwise } from './changes.ts'
import { hasCustom, planInsert, planUpdate } from './plan.ts'
import type { Body } from './rows.ts'
import { insertRows, populated } from './rows.ts'
import { claimUniqueMany, releaseUnique } from './unique.ts'

// Writes of many records, for imports and plans: the same rules, log entries and events as for single writes,
// in a fixed number of statements for each batch. Bodies must have been checked. A row that cannot be written returns
// its refusal and leaves nothing behind; the others are written. Owners are not notified of each row.

type Row = { [field: string]: unknown }

export type Inserted = { id: string; version: number }
/** `before` holds the stored columns that the change replaced; null where it changed nothing. */
export type Updated = { id: string; version: number; before: Body | null }

/** A locked record: as the caller may read it, with nothing hidden, and its stored columns. */
export type Locked = {
  id: string
  version: number
  row: Row
  whole: { text: string; row: Row }
  stored: Body
  isAllowed: boolean
}

type NewRow = {
  body: Body
  /** links whose ids the caller has looked up itself */
  links?: { [field: string]: string }
  /** columns that no body can set */
  set?: Body
}

type ManyOptions = {
  /** required fields may be missing, such as where a template creates the records */
  allowMissing?: boolean
  /** the caller announces the records itself, once what belongs to them is written too */
  announcesLater?: boolean
}

/** Inserts records. */
export function insertMany(
  ctx: Context,
  record: AnyRecord,
  rows: NewRow[],
  options: ManyOptions = {},
): Promise<(Inserted | Failure)[]> {
  return inBatches(rows, (some) => insertBatch(ctx, record, some, options))
}

async function insertBatch(
  ctx: Context,
  record: AnyRecord,
  rows: NewRow[],
  { allowMissing, announcesLater }: ManyOptions,
): Promise<(Inserted | Failure)[]> {
  const bodies: Body[] = []
  for (const { body } of rows) bodies.push(await withDefaults(ctx, record, body))
  const resolve = await resolverOf(ctx, record, bodies)
  const absent = cachedAbsentUsers()
  const outcomes = new Map<number, Inserted | Failure>()
  const fresh: { at: number; id: string; values: Body; custom: Body; columns: Body }[] = []
  for (const [at, body] of bodies.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) await yieldToEventLoop()
    const made = await attempt(async () => {
      const { links, set } = rows[at] ?? {}
      const id = newId()
      const how = { encode: unlessNull, links, set, allowMissing, resolve, absent }
      return { at, id, ...(await planInsert(ctx, record, id, body, how)) }
    })
    if (made instanceof Failure) outcomes.set(at, made)
    else fresh.push(made)
  }
  const taken = await claimUniqueMany(
    ctx,
    record,
    fresh.filter(({ custom }) => Object.keys(custom).length),
  )
  const free = fresh.filter(({ id }) => !taken.has(id))
  const inserted = await insertRows(
    ctx,
    record,
    free.map(({ columns }) => columns),
  )
  const named = announcesLater
    ? []
    : [...new Set(fresh.flatMap(({ values }) => shownOtherwise(record, values)))]
  const shown = named.length ? await readMany(ctx, record, [...inserted], named) : undefined
  const announced: Described[] = []
  for (const { at, id, values, custom } of fresh) {
    if (inserted.has(id)) {
      outcomes.set(at, { id, version: 1 })
      if (announcesLater) continue
      const linked = shownOtherwise(record, values).map((name) => [name, shown?.get(id)?.row[name]])
      const changes = firstValues({ ...values, ...Object.fromEntries(linked) }, custom)
      announced.push(about(record, { id, version: 1, changes, row: values }))
    } else {
      const exists = conflict(`This ${record.word} already exists`, 'duplicate')
      outcomes.set(at, taken.get(id) ?? exists)
    }
  }
  await releaseUnique(
    ctx,
    record,
    free.map(({ id }) => id).filter((id) => !inserted.has(id)),
  )
  await announceRows(ctx, record, 'created', announced)
  return rows.map((_, at) => outcomes.get(at) ?? unwritten(record))
}

type Merging = {
  id: string
  body: Body
  /** links whose ids the caller has looked up itself */
  links?: { [field: string]: string }
  /** more columns to set, from the row as it is stored and as it will be */
  set?: (before: Body, after: Body) => Body
}

type Refuse = (changes: { id: string; columns: Body }[]) => Promise<Map<string, Failure>>

/**
 * Merges bodies into records, each record once. `refuse` sees all changed columns before they are
 * written and names those that cannot be.
 */
export async function updateMany(
  ctx: Context,
  record: AnyRecord,
  rows: Merging[],
  refuse?: Refuse,
): Promise<(Updated | Failure)[]> {
  if (rows.length <= batch) return updateBatch(ctx, record, rows, refuse)
  // so that two writers never wait for each other in a cycle
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const outcomes = await inBatches(sorted, (some) => updateBatch(ctx, record, some, refuse))
  const byId = new Map(sorted.map(({ id }, at) => [id, outcomes[at]]))
  return rows.map(({ id }) => byId.get(id) ?? unwritten(record))
}

async function updateBatch(
  ctx: Context,
  record: AnyRecord,
  rows: Merging[],
  refuse: Refuse | undefined,
): Promise<(Updated | Failure)[]> {
  const locked = await lockMany(
    ctx,
    record,
    rows.map(({ id }) => id),
    'update',
  )
  const resolve = await resolverOf(
    ctx,
    record,
    rows.map(({ body }) => body),
  )
  const absent = cachedAbsentUsers()
  const outcomes = new Map<string, Updated | Failure>()
  let changes: Rewrite[] = []
  for (const [at, { id, body, links, set }] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) await yieldToEventLoop()
    const before = locked.get(id)
    const change = await attempt(async () => {
      if (!before) throw conflict(`The ${record.word} was deleted meanwhile`)
      if (!before.isAllowed) throw forbidden(`Your role may not update this ${record.word}`)
      const how = { encode: asJson, links, resolve, absent }
      const { columns } = await planUpdate(ctx, record, before.row, body, how)
      if (Object.keys(columns).length && set) {
        Object.assign(columns, set(before.stored, { ...before.stored, ...columns }))
      }
      return { before, columns }
    })
    if (change instanceof Failure) outcomes.set(id, change)
    else if (Object.keys(change.columns).length) changes.push(change)
    else outcomes.set(id, { id, version: change.before.version, before: null })
  }
  const refused = await refuse?.(changes.map(({ before: { id }, columns }) => ({ id, columns })))
  for (const [id, failure] of refused ?? []) outcomes.set(id, failure)
  changes = changes.filter(({ before: { id } }) => !refused?.has(id))
  for (const [id, outcome] of await rewriteMany(ctx, record, changes)) outcomes.set(id, outcome)
  return rows.map(({ id }) => outcomes.get(id) ?? unwritten(record))
}

/**
 * Locks those of the records that the caller sees, in the order of their ids, so that two writers
 * never wait for each other in a cycle.
 */
export async function lockMany(
  ctx: Context,
  record: AnyRecord,
  ids: string[],
  action: Action,
): Promise<Map<string, Locked>> {
  if (!ids.length) return new Map()
  const shape = shapeOf(record)
  const allowed = rights(ctx, record, action) ?? sql`true`
  const cells = await ctx.cells(sql`
    select ${storedColumnsFor(ctx, shape)}, ${allowed}, row_to_json(t)::text
    from ${sql.table(record.table)} t ${joinsFor(ctx, shape)}
    where ${scope(ctx, record, 'read')} and t.id = any(${ids}) order by t.id for update of t`)
  const rows = await textRows(ctx, shape, cells)
  const known = rows.map(({ id }) => id)
  const whole = showsWhole(ctx, shape) ? undefined : await readMany(ctx, record, known)
  const locked = rows.map(({ id, version, text }, i): [string, Locked] => {
    const [allowedCell, storedCell] = cells[i]?.slice(-2) ?? []
    const stored = JSON.parse(storedCell ?? '{}') as Body
    const isAllowed = allowedCell === 't'
    const row = JSON.parse(text) as Row
    return [id, { id, version, row, whole: whole?.get(id) ?? { text, row }, stored, isAllowed }]
  })
  return new Map(locked)
}

/** Deletes locked records, as `remove` does one. */
export async function removeMany(ctx: Context, record: AnyRecord, rows: Locked[]) {
  if (!rows.length) return
  const ids = rows.map(({ id }) => id)
  const now = ctx.now().toISOString()
  await ctx.run(sql`update ${sql.table(record.table)} t
    set deleted_at = ${now}, last_update_time = ${now}, version = version + 1
    where ${mine(ctx)} and t.id = any(${ids})`)
  await releaseUnique(ctx, record, ids)
  const announced = rows.map(({ id, version, whole: { row } }) =>
    about(record, { id, version: version + 1, changes: [], row }),
  )
  const texts = new Map(rows.map(({ id, whole: { text } }) => [id, text]))
  await announceRows(ctx, record, 'deleted', announced, texts)
}

type Rewrite = { before: Locked; columns: Body }

/** Sets stored columns of locked records; those whose unique values others hold are refused. */
export async function rewriteMany(
  ctx: Context,
  record: AnyRecord,
  rewrites: Rewrite[],
): Promise<Map<string, Updated | Failure>> {
  const outcomes = new Map<string, Updated | Failure>()
  const customs = rewrites
    .filter(({ columns }) => hasCustom(record) && 'custom_fields' in columns)
    .map(({ before: { id }, columns }) => ({ id, custom: columns.custom_fields as Body }))
  const taken = await claimUniqueMany(ctx, record, customs)
  for (const [id, failure] of taken) outcomes.set(id, failure)
  const rows = rewrites.filter(({ before: { id } }) => !taken.has(id))
  if (!rows.length) return outcomes
  const names = [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))].sort()
  const values = rows.map(({ before: { id, stored }, columns }) => {
    const next = names.map((name) => [name, name in columns ? columns[name] : stored[name]])
    return { ...Object.fromEntries(next), id }
  })
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`r.${name}`)}`)
  await ctx.run(sql`update ${sql.table(record.table)} t
    set ${sql.join(set)}, last_update_time = ${ctx.now().toISOString()}, version = t.version + 1
    from ${populated(record, values)} r where ${mine(ctx)} and t.id = r.id`)
  const after = await readMany(
    ctx,
    record,
    rows.map(({ before: { id } }) => id),
  )
  const announced = rows.flatMap(({ before, columns }): Described[] => {
    const { id } = before
    const written = after.get(id)
    if (!written) return []
    const { row, version } = written
    const replaced = Object.keys(columns).map((name) => [name, before.stored[name] ?? null])
    outcomes.set(id, { id, version, before: Object.fromEntries(replaced) as Body })
    const changes = differences(record, before.whole.row, row, Object.keys(columns))
    return [about(record, { id, version, changes, row })]
  })
  await announceRows(
    ctx,
    record,
    'updated',
    announced,
    new Map([...after].map(([id, { text }]) => [id, text])),
  )
  return outcomes
}

/** A row without an outcome: a defect of the service, and nothing of it is written. */
function unwritten({ word }: AnyRecord): Failure {
  return conflict(`The ${word} could not be written`)
}

/** The look-up of users in custom fields, once for each of them. */
function cachedAbsentUsers(): typeof absentUser {
  const known = new Map<unknown, Promise<string | undefined>>()
  return async (ctx, definition, value) => {
    if (definition.type !== 'user' || value === null) return undefined
    if (!known.has(value)) known.set(value, absentUser(ctx, definition, value))
    return known.get(value)
  }
}

/** Rows of one statement: the event loop is blocked while its values are serialized and parsed, some 20 ms. */
const batch = 500

/** The outcomes of all rows, written in batches with other work in between. */
async function inBatches<R, O>(rows: R[], write: (some: R[]) => Promise<O[]>): Promise<O[]> {
  const outcomes: O[] = []
  for (let at = 0; at < rows.length; at += batch) {
    outcomes.push(...(await write(rows.slice(at, at + batch))))
    await yieldToEventLoop()
  }
  return outcomes
}

/** Rows after which others get their turn: some milliseconds. */
const rowsPerTurn = 100
const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** JSON leaves out what is undefined: most columns of a new record are empty. */
function unlessNull(_field: unknown, value: unknown): unknown {
  return value ?? undefined
}

/** Values travel as JSON, so that none needs another form. */
function asJson(_field: unknown, value: unknown): unknown {
  return value
}

/** What it gives, or the refusal it throws. */
async function attempt<T>(run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
