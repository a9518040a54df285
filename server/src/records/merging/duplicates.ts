import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { shapeOf, writeRows } from '../../kit/read/json.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { rights } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'

/** How records of a kind are looked through for what may be the same twice. */
export type Likeness = {
  /** what a group shows of each record */
  shows: string[]
  /** the walks, the surest first; each goes along an index `(organization_id, column, id)` */
  walks: Walk[]
  /** a column in which two records must not name different others, where names are all that is alike */
  apart?: { column: string; reason: string }
}

type Walk = {
  column: string
  /** why records with the same value may be one, and how sure that is, from 0 to 1 */
  reason: string
  score: number
  /** neighbours in the order of the column whose texts are nearly the same count too */
  similar?: { reason: string; score: number }
}

export const companyLikeness: Likeness = {
  shows: ['id', 'company_id', 'company_name', 'domain', 'website_url', 'company_owner'],
  walks: [
    { column: 'host_key', reason: 'same_domain', score: 0.95 },
    {
      column: 'words_key',
      reason: 'same_name',
      score: 0.85,
      similar: { reason: 'similar_name', score: 0.8 },
    },
  ],
}

export const contactLikeness: Likeness = {
  shows: ['id', 'contact_id', 'full_name', 'primary_email', 'phone', 'company', 'contact_owner'],
  walks: [
    { column: 'primary_email_key', reason: 'same_email', score: 0.98 },
    { column: 'phone_key', reason: 'same_phone', score: 0.85 },
    {
      column: 'words_key',
      reason: 'same_name',
      score: 0.6,
      similar: { reason: 'similar_name', score: 0.55 },
    },
  ],
  apart: { column: 'company_id', reason: 'same_company' },
}

/** How similar two texts are at least, as pg_trgm counts shared groups of three letters. */
const leastSimilarity = 0.6
/** A name is compared with that many after it in their order. */
const neighbours = 5
/**
 * Rows that one step of a walk reads, and steps of one page: what a page costs at most. Equal values
 * are found by the database; pairs of similar ones cost some 5 µs each.
 */
const windowSizes = { same: 20_000, similar: 1500 }
const mostWindows = 8
/** A group shows that many records, and counts all it has found. */
const mostShown = 20

const times = ['creation_time', 'last_update_time']

/**
 * Groups of records that may be the same twice, each with a score and the reasons. The records are
 * walked through in the order of what they are compared by (sorted neighbourhoods: Hernández and
 * Stolfo, 1995), so that a page costs the same however many there are; one with few or no groups and
 * a `next_cursor` has only come that far.
 */
export function findDuplicates(record: AnyRecord, likeness: Likeness): Operation {
  const { properties } = readSchema(record) as unknown as { properties: { [name: string]: object } }
  const shown = Object.fromEntries(
    [...likeness.shows, ...times].map((name) => [name, properties[name]]),
  )
  return {
    name: `list_duplicate_${record.module}`,
    summary: `List groups of ${record.module} that may be the same twice`,
    description:
      'The surest kind of likeness comes first. A page may hold few groups and still have a ' +
      '`next_cursor`: it ends where its share of the work is done.',
    can: { module: record.module, action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, maximum: 100, description: 'groups a page (25)' },
          items_per_page: {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            description: 'same as limit',
          },
          next_cursor: { type: 'string', maxLength: 4000, description: 'from the answer before' },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              score: { type: 'number', description: 'how sure it is, from 0 to 1' },
              reasons: { type: 'array', items: { type: 'string' } },
              records_count: { type: 'integer' },
              records: {
                type: 'array',
                items: { type: 'object', properties: shown, required: Object.keys(shown) },
                description: `the oldest first, at most ${mostShown}`,
              },
            },
            required: ['score', 'reasons', 'records_count', 'records'],
          },
        },
        next_cursor: { type: ['string', 'null'] },
      },
      required: ['results', 'next_cursor'],
    },
    async run(ctx: Context, { query }: Input) {
      const limit = query.limit ?? query.items_per_page ?? 25
      const from = query.next_cursor ? decode(likeness, record, query.next_cursor) : start
      const { groups, next } = await page(ctx, record, likeness, from, limit)
      return { results: await shownGroups(ctx, record, likeness, groups), next_cursor: next }
    },
  }
}

/** Where a walk has come to: behind this value and id. */
type Place = { walk: number; value: string; id: string }
const start: Place = { walk: 0, value: '', id: '' }
/** Behind every id. */
const afterAll = '~'

type Row = { id: string; is_readable: boolean; [column: string]: unknown }
/** `similarity` is that of the least similar pair, where names led here. */
type Group = { rows: Row[]; similarity?: number; at: Place }

async function page(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  from: Place,
  limit: number,
): Promise<{ groups: Group[]; next: string | null }> {
  const found: Group[] = []
  let place: Place | undefined = from
  for (let i = 0; place && found.length < limit && i < mostWindows; i++) {
    const window = await readWindow(ctx, record, likeness, place)
    const walk: Walk = likeness.walks[place.walk]!
    const groups: Group[] = walk.similar
      ? await similarGroups(ctx, likeness, place.walk, window)
      : sameGroups(likeness, place.walk, window)
    const taken = groups.slice(0, limit - found.length)
    found.push(...taken)
    const rest: Group | undefined = groups[taken.length]
    if (rest) place = taken.at(-1)!.at
    else if (window.end) place = window.end
    else if (place.walk + 1 < likeness.walks.length) place = { ...start, walk: place.walk + 1 }
    else place = undefined
  }
  return { groups: found, next: place ? encode(record, place) : null }
}

type Window = {
  rows: Row[]
  /** those before it have been compared with all they are compared with */
  complete: number
  /** where the next window begins; undefined at the end of the walk */
  end: Place | undefined
}

function readWindow(ctx: Context, record: AnyRecord, likeness: Likeness, place: Place) {
  return likeness.walks[place.walk]!.similar
    ? neighbouring(ctx, record, likeness, place)
    : repeated(ctx, record, likeness, place)
}

/** The next rows of a walk, with the ones behind them that the last are compared with. */
async function neighbouring(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  place: Place,
): Promise<Window> {
  const size = windowSizes.similar + neighbours
  const rows = await ctx.all<Row>(along(ctx, record, likeness, place, size))
  if (rows.length < size) return { rows, complete: rows.length, end: undefined }
  const complete = windowSizes.similar
  const { column } = likeness.walks[place.walk]!
  return { rows, complete, end: placeOf(place.walk, column, rows[complete - 1]!) }
}

/** Of the next rows of a walk only those whose value another one has too, and the last. */
async function repeated(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  place: Place,
): Promise<Window> {
  const { column } = likeness.walks[place.walk]!
  const size = windowSizes.same
  const at = sql.ref(`t.${column}`)
  const rows = await ctx.all<Row & { n: number }>(sql`
    select * from (
      select t.*, row_number() over line as n,
        ${at} is not distinct from lag(${at}) over line as is_like_previous,
        lead(${at}) over line as next
      from (${along(ctx, record, likeness, place, size)}) t window line as (order by ${at}, t.id)
    ) t where is_like_previous or ${at} = next or next is null`)
  const last = rows.at(-1)
  if (!last || last.n < size) return { rows, complete: rows.length, end: undefined }
  // the last value may go on behind the window; one that fills it is cut there
  const value = String(last[column])
  const complete = rows.findIndex((row) => row[column] === value)
  if (rows.length < size || complete > 0)
    return { rows, complete, end: { ...place, value, id: '' } }
  return { rows, complete: size, end: { ...place, value, id: afterAll } }
}

function along(
  ctx: Context,
  record: AnyRecord,
  { walks, apart }: Likeness,
  { walk, value, id }: Place,
  size: number,
): Query {
  const at = sql.ref(`t.${walks[walk]!.column}`)
  const names = [...walks.map(({ column }) => column), ...(apart ? [apart.column] : [])]
  const columns = names.map((name) => sql.ref(`t.${name}`))
  const readable = rights(ctx, record, 'read') ?? sql`true`
  return sql`
    select t.id, ${readable} as is_readable, ${sql.join(columns)} from ${sql.table(record.table)} t
    where ${all(mine(ctx), sql`t.deleted_at is null`, sql`${at} is not null`)}
      and (${at}, t.id) > (${value}, ${id})
    order by ${at}, t.id ${sql.raw(`limit ${size}`)}`
}

/** Runs of the same value, without those that an earlier walk has told of. */
function sameGroups({ walks }: Likeness, walk: number, { rows, complete }: Window): Group[] {
  const { column } = walks[walk]!
  const groups: Group[] = []
  const whole = rows.slice(0, complete)
  for (const run of Map.groupBy(whole, (row) => row[column]).values()) {
    const readable = run.filter((row) => row.is_readable)
    const isKnown = walks.slice(0, walk).some((earlier) => areSame(readable, earlier.column))
    if (readable.length < 2 || isKnown) continue
    const at = { ...placeOf(walk, column, run.at(-1)!), id: afterAll }
    groups.push({ rows: readable, at })
  }
  return groups
}

/** Neighbours whose texts are the same or nearly so, joined into groups where they share one. */
async function similarGroups(
  ctx: Context,
  likeness: Likeness,
  walk: number,
  { rows, complete }: Window,
): Promise<Group[]> {
  const { column } = likeness.walks[walk]!
  const pairs: [a: number, b: number][] = []
  for (let a = 0; a < complete; a++) {
    for (let b = a + 1; b <= a + neighbours && b < rows.length; b++) {
      if (mayBeOne(likeness, walk, rows[a]!, rows[b]!)) pairs.push([a, b])
    }
  }
  if (!pairs.length) return []
  const side = (n: 0 | 1) => pairs.map((pair) => String(rows[pair[n]]![column]))
  const scored = await ctx.all<{ n: number; similarity: number }>(sql`
    select n, similarity(a, b) as similarity
    from unnest(${side(0)}::text[], ${side(1)}::text[]) with ordinality as pair (a, b, n)
    where similarity(a, b) >= ${leastSimilarity}::real`)
  const groupOf = new Map<number, { members: Set<number>; similarity: number }>()
  for (const { n, similarity } of scored) {
    const [a, b] = pairs[Number(n) - 1]!
    const joined = { members: new Set([a, b]), similarity }
    for (const each of [groupOf.get(a), groupOf.get(b)]) {
      each?.members.forEach((member) => joined.members.add(member))
      joined.similarity = Math.min(joined.similarity, each?.similarity ?? 1)
    }
    for (const member of joined.members) groupOf.set(member, joined)
  }
  return [...new Set(groupOf.values())].map(({ members, similarity }) => {
    const places = [...members].sort((a, b) => a - b)
    const at = placeOf(walk, column, rows[Math.min(places.at(-1)!, complete - 1)]!)
    return { rows: places.map((place) => rows[place]!), similarity, at }
  })
}

function mayBeOne({ walks, apart }: Likeness, walk: number, a: Row, b: Row): boolean {
  if (!a.is_readable || !b.is_readable) return false
  if (walks.slice(0, walk).some(({ column }) => areSame([a, b], column))) return false
  if (apart && a[apart.column] && b[apart.column] && a[apart.column] !== b[apart.column])
    return false
  const { column } = walks[walk]!
  if (!couldBeSimilar(String(a[column]), String(b[column]))) return false
  // "Plant 5" and "Plant 6" are as similar as can be, and two
  return Boolean(a[column]) && digits(a[column]) === digits(b[column])
}

/** Not when one is so much longer that they could never share enough, which most neighbours are not. */
function couldBeSimilar(a: string, b: string): boolean {
  const [short, long] = [Math.min(a.length, b.length), Math.max(a.length, b.length)]
  // a word has as many groups of letters as letters, and two more
  return (short + 2) / (long + 2) >= leastSimilarity * 0.75
}

function areSame(rows: Row[], column: string): boolean {
  const [first] = rows
  return Boolean(first?.[column]) && rows.every((row) => row[column] === first![column])
}

function digits(text: unknown): string {
  return String(text).replace(/\D/g, '')
}

async function shownGroups(ctx: Context, record: AnyRecord, likeness: Likeness, groups: Group[]) {
  const members = groups.map(({ rows }) =>
    rows
      .map(({ id }) => id)
      .sort()
      .slice(0, mostShown),
  )
  const shape = shapeOf(record, [...likeness.shows, ...times])
  const cells = groups.length
    ? await ctx.cells(sql`select ${sql.raw(shape.select)} from ${sql.table(record.table)} t
        ${sql.raw(shape.joins)} where ${mine(ctx)} and t.id = any(${members.flat()})`)
    : []
  const texts = await writeRows(ctx, shape, cells)
  const known = new Map(cells.map(([id], i) => [id!, JSON.parse(texts[i]!)]))
  return groups
    .map((group, i) => ({
      ...likenessOf(likeness, group),
      records_count: group.rows.length,
      records: members[i]!.flatMap((id) => known.get(id) ?? []),
    }))
    .sort((a, b) => b.score - a.score)
}

/** All that is alike in the whole group; several reasons together are surer than each. */
function likenessOf({ walks, apart }: Likeness, { rows, similarity }: Group) {
  const reasons: string[] = []
  let doubt = 1
  const add = (reason: string, score: number) => {
    reasons.push(reason)
    doubt *= 1 - score
  }
  for (const { column, reason, score, similar } of walks) {
    if (areSame(rows, column)) add(reason, score)
    else if (similar && similarity !== undefined) add(similar.reason, similar.score * similarity)
  }
  if (apart && reasons.some((each) => each.endsWith('_name')) && areSame(rows, apart.column)) {
    add(apart.reason, 0.7)
  }
  return { score: Math.round((1 - doubt) * 100) / 100, reasons }
}

function placeOf(walk: number, column: string, row: Row): Place {
  return { walk, value: String(row[column]), id: row.id }
}

function encode({ module }: AnyRecord, { walk, value, id }: Place): string {
  return Buffer.from(JSON.stringify([module, walk, value, id])).toString('base64url')
}

function decode({ walks }: Likeness, { module }: AnyRecord, cursor: string): Place {
  const wrong = badField('next_cursor', 'is not a cursor of this list')
  let given: unknown
  try {
    given = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong
  }
  if (!Array.isArray(given) || given.length !== 4 || given[0] !== module) throw wrong
  const [, walk, value, id] = given
  const isPlace = typeof value === 'string' && typeof id === 'string'
  const isClean = isPlace && !`${value}${id}`.includes('\0') && `${value}${id}`.isWellFormed()
  if (!isClean || !Number.isInteger(walk) || !walks[walk]) throw wrong
  return { walk, value, id }
}
