import { differences, displayedValues, firstValues, setFields, shownOtherwise } from './changes.ts'
import type { Context } from '../ground/context.ts'
import { withDefaults } from '../record/custom.ts'
import { conflict, forbidden, notFound, stale } from '../ground/errors.ts'
import { newId } from '../ground/ids.ts'
import {
  joinsFor,
  shapeOf,
  showsRecord,
  showsStored,
  showsWhole,
  shownLinks,
  storedColumnsFor,
} from '../read/json.ts'
import type { Action } from '../ground/operation.ts'
import { Answer, Json } from '../ground/operation.ts'
import type { AnyRecord, Draft, Patch, Row } from '../record/record.ts'
import { fieldNamed, capitalized, versionNameOf } from '../record/record.ts'
import { restorable, rights, scope } from '../record/scope.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { about, announce, projectOf } from './announce.ts'
import type { Change, NewNotification } from '../ground/event.ts'
import { claimUnique, releaseUnique } from './unique.ts'
import { asParameter, customOf, hasCustom, planInsert, planUpdate } from './plan.ts'
import { readText, readWhole, rowText } from '../read/one.ts'

type Body = { [key: string]: unknown }

/** A record as it is after a write. Its JSON is read only where it is shown or announced. */
export type Written = {
  id: string
  version: number
  /** the project that it is or belongs to */
  project_id: string | null
  changed: boolean
  /** the record as the caller may read it */
  json(): Promise<string>
  /** the record as it is, for its events */
  whole(): Promise<string>
}

/** The answer to a write: the record, for routes that show it. */
export function written({ id, version, json }: Written, created?: boolean): Answer {
  return new Answer(async () => new Json(await json()), { id, version, created })
}

type InsertOptions = {
  /** columns that no body can set */
  set?: { [column: string]: unknown }
  /** ids of links that the caller has looked up itself */
  links?: { [field: string]: string }
  /** required fields may be missing, such as where a series creates the record */
  allowMissing?: boolean
  id?: string
  /** notifications beside those of its assignees */
  notify?: NewNotification[]
  /** creates what belongs to the record before it is announced; gives changes for the log */
  along?: (id: string) => Promise<Change[] | void>
  /** with a unique index taken, answer undefined instead of failing */
  unlessTaken?: boolean
}

type UpdateOptions = {
  /** columns that no body can set */
  set?: { [column: string]: unknown }
  /** notifications beside those of its assignees */
  notify?: NewNotification[]
  /** changes of what belongs to the record in other tables: its version rises with them */
  also?: Change[]
}

/** Inserts a record with its log entry and event. 400 names wrong fields; 409 on a taken key. */
export async function insert<R extends AnyRecord>(
  ctx: Context,
  record: R,
  body: Draft<R>,
  options: InsertOptions = {},
) {
  const written = await tryInsert(ctx, record, body, options)
  if (!written) throw conflict(`This ${record.word} already exists`, 'duplicate')
  return written
}

/** The same; undefined when a unique key is taken and `unlessTaken` is set. */
export async function tryInsert<R extends AnyRecord>(
  ctx: Context,
  record: R,
  draft: Draft<R>,
  {
    set = {},
    links,
    allowMissing,
    id = newId(),
    unlessTaken = false,
    along,
    notify,
  }: InsertOptions,
): Promise<Written | undefined> {
  const body = await withDefaults(ctx, record, draft as Body)
  const how = { encode: asParameter, set, links, allowMissing }
  const plan = await planInsert(ctx, record, id, body, how)
  const { columns, values, custom } = plan
  // in one text: forty names of columns compiled each for itself take 40 µs
  const names = sql.raw(`"${Object.keys(columns).join('", "')}"`)
  const inserting = ctx.run(sql`
    insert into ${sql.table(record.table)} (${names}) values (${sql.join(Object.values(columns))})
    ${unlessTaken ? sql`on conflict do nothing` : sql``}`)
  // both are under way: an error of the references comes first
  inserting.catch(() => {})
  const linked = (await plan.visible) ?? {}
  if (!(await inserting)) return undefined
  if (Object.keys(custom).length) await claimUnique(ctx, record, id, custom)
  const own = setFields(ctx, record, set)
  const shown = await shownFirst(ctx, record, { id, values, shown: linked, own })
  const changes = firstValues({ ...values, ...shown }, custom)
  changes.push(...((await along?.(id)) ?? []))
  // what nobody shows and nobody subscribed to is not read back: that is a third of an insert's cost
  const json = once(() => readText(ctx, record, id))
  const whole = once(() => (showsRecord(ctx, record) ? json() : readWhole(ctx, record, id)))
  const after = about(record, { id, version: 1, row: { ...values, ...set }, changes })
  await announce(ctx, record, 'created', { ...after, whole, notify })
  const answer = async () => versioned(record, await json(), 1)
  return { id, version: 1, project_id: after.project_id, json: answer, whole, changed: true }
}

/**
 * Merges a body into a record that was locked for an update: absent keys stay, null clears, objects merge one level
 * deep, arrays replace. Without a difference nothing is written and nothing is announced. `also` are changes of what
 * belongs to the record in other tables: its version rises with them.
 */
export async function update<R extends AnyRecord>(
  ctx: Context,
  before: LockedRecord<R>,
  patch: Patch<R>,
  { set = {}, notify = [], also = [] }: UpdateOptions = {},
): Promise<Written> {
  const { record, id, row, whole } = before as LockedRecord<AnyRecord>
  const how = { encode: asParameter, set }
  const body = await withoutHidden(ctx, record, { id, row }, patch as Body)
  const { columns, custom } = await planUpdate(ctx, record, row, body, how)
  if (!also.length && (await isStored(ctx, record, id, columns))) {
    return writtenAs(ctx, before as LockedRecord<AnyRecord>, false)
  }
  const after = await write(ctx, record, id, columns)
  if (custom) await claimUnique(ctx, record, id, custom)
  const changes = [...differences(record, whole.row, after.whole.row, Object.keys(set)), ...also]
  return announced(ctx, 'updated', { ...after, changes }, notify)
}

/** A record's text as reads give it: with its version. */
export function versioned(record: AnyRecord, text: string, version: number): string {
  return `${text.slice(0, -1)},"${versionNameOf(record)}":${version}}`
}

/** The record as the caller's own read gives it, where that is less than what the write read. */
function answerOf(ctx: Context, record: AnyRecord, id: string, stored: string) {
  return once(async () => (showsStored(ctx, record) ? stored : readText(ctx, record, id)))
}

/**
 * A body without those links that are null to the caller because it may not read what they lead to:
 * sending back the result of a read changes nothing.
 */
async function withoutHidden(
  ctx: Context,
  record: AnyRecord,
  { id, row }: { id: string; row: AnyRow },
  body: Body,
): Promise<Body> {
  const cleared = Object.keys(body).filter((name) => {
    const field = record.fields[name]
    return body[name] === null && row[name] && field?.reference?.to && !field.reference.shows
  })
  if (!cleared.length || showsStored(ctx, record, cleared)) return body
  const seen = JSON.parse(await readText(ctx, record, id, cleared)) as AnyRow
  const hidden = cleared.filter((name) => (seen[name] ?? null) === null)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)))
}

/**
 * Whether columns already have their new values. Fields that reads show as they are stored have been compared
 * before; the others are looked up if there is nothing else to write.
 */
async function isStored(ctx: Context, record: AnyRecord, id: string, columns: Body) {
  const names = Object.keys(columns)
  const computed = Object.entries(record.fields).flatMap(([name, field]) =>
    field.read && !field.reference ? [field.column ?? name] : [],
  )
  if (names.some((name) => !computed.includes(name))) return false
  if (!names.length) return true
  const same = names.map(
    (name) => sql`${sql.ref(`t.${name}`)} is not distinct from ${columns[name]}`,
  )
  const found = await ctx.one(sql`select t.id from ${sql.table(record.table)} t
    where ${all(mine(ctx), sql`t.id = ${id}`, ...same)}`)
  return Boolean(found)
}

/** Deletes a record: it disappears at once, and can be restored for 30 days. */
export async function remove(
  ctx: Context,
  record: AnyRecord,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  const before = await lock(ctx, record, id, 'delete', ifMatch)
  const now = ctx.now().toISOString()
  await ctx.run(sql`update ${sql.table(record.table)} t
    set deleted_at = ${now}, last_update_time = ${now}, version = version + 1
    where ${mine(ctx)} and t.id = ${id}`)
  await releaseUnique(ctx, record, [id])
  await announced(ctx, 'deleted', { ...before, version: before.version + 1, changes: [] })
  return new Answer(null, { id })
}

/**
 * Brings a deleted record back; 404 after 30 days, 409 when its unique key is taken meanwhile and for one
 * whose personal data were erased.
 */
export async function restore(ctx: Context, record: AnyRecord, id: string): Promise<Written> {
  const erased = record.life.isErased?.(ctx) ?? sql`false`
  const found = await ctx.one<{ is_erased: boolean }>(sql`select ${erased} as is_erased
    from ${sql.table(record.table)} t where ${restorable(ctx, record)} and t.id = ${id} for update`)
  if (!found) throw notFound(`Deleted ${record.word}`)
  if (found.is_erased) {
    const message = `The personal data of this ${record.word} were erased: it cannot be restored`
    throw conflict(message, 'erased')
  }
  const after = await write(ctx, record, id, { deleted_at: null })
  if (hasCustom(record)) await claimUnique(ctx, record, id, customOf(after.row))
  return announced(ctx, 'restored', { ...after, changes: [] })
}

/** Announces a write whose row has been read, and gives what it wrote. */
async function announced(
  ctx: Context,
  what: string,
  after: LockedRecord<AnyRecord> & { changes: Change[] },
  notify?: NewNotification[],
): Promise<Written> {
  const written = writtenAs(ctx, after, true)
  const described = about(after.record, { ...after, row: after.whole.row })
  await announce(ctx, after.record, what, { ...described, whole: written.whole, notify })
  return written
}

function writtenAs(
  ctx: Context,
  { record, id, version, json, whole }: LockedRecord<AnyRecord>,
  changed: boolean,
): Written {
  const answer = answerOf(ctx, record, id, json)
  return {
    id,
    version,
    project_id: projectOf(record, id, whole.row),
    changed,
    json: async () => versioned(record, await answer(), version),
    whole: async () => whole.json,
  }
}

/**
 * Locks a record for a change: 404 when the caller cannot see it, 403 when it sees but may not,
 * 412 when it has changed since the caller read it.
 */
export async function lock<R extends AnyRecord>(
  ctx: Context,
  record: R,
  id: string,
  action: Action,
  ifMatch?: number[],
): Promise<LockedRecord<R>> {
  const shape = shapeOf(record)
  const allowed = rights(ctx, record, action) ?? sql`true`
  const locking = ctx.cells(sql`
    select ${storedColumnsFor(ctx, shape)}, ${allowed}
    from ${sql.table(record.table)} t ${joinsFor(ctx, shape)}
    where ${scope(ctx, record, 'read')} and t.id = ${id} for update of t`)
  const whole = wholeBehind(ctx, record, id)
  const [cells] = await locking
  if (!cells) throw notFound(capitalized(record.word))
  if (cells.at(-1) !== 't') throw forbidden(`Your role may not ${action} this ${record.word}`)
  const version = Number(cells[1])
  if (ifMatch && !ifMatch.includes(version))
    throw stale({ record, id, versions: ifMatch, current: version })
  return lockedAs(record, id, version, await rowText(ctx, shape, cells), await whole)
}

/**
 * A locked record: its version; its row as the caller may read it, but with the stored ids, and that row's JSON
 * text; and in `whole` both with everything that is stored.
 */
export type LockedRecord<R> = {
  record: R
  id: string
  version: number
  json: string
  row: Row<R>
  whole: { json: string; row: Row<R> }
}

type AnyRow = Row<AnyRecord>

/** The record with everything that is stored, read after the statement just sent; undefined if the caller reads all of it anyway. */
function wholeBehind(ctx: Context, record: AnyRecord, id: string): Promise<string> | undefined {
  if (showsWhole(ctx, shapeOf(record))) return undefined
  const reading = readWhole(ctx, record, id)
  // an error of the statement before it comes first
  reading.catch(() => {})
  return reading
}

function lockedAs<R extends AnyRecord>(
  record: R,
  id: string,
  version: number,
  json: string,
  whole = json,
): LockedRecord<R> {
  const row = JSON.parse(json) as Row<R>
  const wholeRow = whole === json ? row : (JSON.parse(whole) as Row<R>)
  return { record, id, version, json, row, whole: { json: whole, row: wholeRow } }
}

/** Sets columns of a locked record and gives it as reads do; the caller announces it. */
export async function write(
  ctx: Context,
  record: AnyRecord,
  id: string,
  columns: Body,
): Promise<LockedRecord<AnyRecord>> {
  const shape = shapeOf(record)
  const set = Object.entries({ ...columns, last_update_time: ctx.now().toISOString() }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  const writing = ctx.cells(sql`
    with t as (
      update ${sql.table(record.table)} t set ${sql.join(set)}, version = version + 1
      where ${mine(ctx)} and t.id = ${id} returning *
    ) select ${storedColumnsFor(ctx, shape)} from t ${joinsFor(ctx, shape)}`)
  const whole = wholeBehind(ctx, record, id)
  const [cells] = await writing
  return lockedAs(record, id, Number(cells?.[1]), await rowText(ctx, shape, cells), await whole)
}

/** What a read shows of a new record's links and of what the operation set itself. */
async function shownFirst(
  ctx: Context,
  record: AnyRecord,
  { id, values, shown, own }: { id: string; values: Body; shown: Body; own: string[] },
): Promise<Body> {
  const links = shownOtherwise(record, values)
  const isKnown = (name: string) =>
    !own.includes(name) && fieldNamed(record, name).reference?.isCached
  const known = links.filter(isKnown).map((name) => [name, values[name]])
  const shownSoFar = { ...shown, ...(await shownLinks(ctx, record, Object.fromEntries(known))) }
  const named = [...new Set([...links.filter((name) => !Object.hasOwn(shownSoFar, name)), ...own])]
  if (!named.length) return shownSoFar
  const row = JSON.parse(await readWhole(ctx, record, id, named)) as AnyRow
  return { ...shownSoFar, ...displayedValues(row, named) }
}

/** The same promise for every call after the first. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
