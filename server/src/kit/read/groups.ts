import type { Cells, Context, Query } from '../ground/context.ts'
import { badField, badRequest } from '../ground/errors.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { shownDefinitions, shownTo } from '../record/audience.ts'
import { forReader, linkedRowsOf } from '../record/readable.ts'
import type { AnyRecord, Field, LinkField, Reference } from '../record/record.ts'
import { registered } from '../record/registry.ts'
import { columnOf, isLink, ownField } from '../record/record.ts'
import type { Filterable } from './filter-fields.ts'
import { customField, entryOf } from './filter-fields.ts'
import { filterRegistry } from './filter-registry.ts'
import type { Shape } from './json.ts'
import { columnsWithRights, fitting, joinsFor, writeReads } from './json.ts'
import type { Selection } from './selection.ts'
import { explained } from './selection.ts'
import type { Sort } from './sort.ts'
import { joinsOf } from './sort.ts'

/** How a list is grouped: the field, amounts to add up, records of each group, their order. */
export type Grouping = { by: string; sum?: string; items?: number; order?: GroupOrder }

/** `options` is the order of the field's choices; `-` descends. */
export const groupOrders = ['options', 'count', '-count', 'label', '-label'] as const
export type GroupOrder = (typeof groupOrders)[number]

/** One group; `label` is known of linked records alone, and `records` are JSON texts. */
export type Group = {
  value: string | null
  label: string | null
  color: string | null
  count: number
  sums: { field: string; currency_unit: string | null; value: number }[]
  records: string[]
}
export type Groups = { groups: Group[]; total: number }

const mostGroups = 100
const mostSums = 5

/**
 * The records of a list by the values of a field, in one statement: how many there are of each, their
 * sums by currency, and the first records of each. Of more than 100 groups, only the largest, or the
 * first by label. 400 for sums of fields that are not numbers, and for records too large for one
 * answer.
 */
export async function listGroups(
  ctx: Context,
  whole: AnyRecord,
  { shape, order, selection }: { shape: Shape; order: Sort[]; selection: Selection },
  grouping: Grouping,
): Promise<Groups> {
  const record = shownTo(ctx, whole)
  const key = await keyOf(ctx, record, grouping.by)
  const amounts = await amountsOf(ctx, record, grouping.sum)
  const query = statement(ctx, whole, { shape, order, selection }, { ...grouping, key, amounts })
  const costs = [`groups by ${grouping.by}`, ...(selection.isSearched ? ['q'] : [])]
  const { rows, isCut } = await explained(
    () => costs,
    () => ctx.reading('heavy', record.table).page(query, ctx.limits.pageBytes),
  )
  return gathered(ctx, shape, rows, isCut)
}

/** The value that decides which group a record is in, and of a link what it leads to. */
export type Key = {
  value: Query
  linked?: { rows: Query; value: Query; label: Query; color: Query }
}

/** The key of a field by which a list can be grouped. 400 naming `parameter` where there is none. */
export async function keyOf(
  ctx: Context,
  record: AnyRecord,
  by: string,
  parameter = 'by',
): Promise<Key> {
  const definition = await definitionOf(ctx, record, by)
  if (definition) {
    const [, { sql: value }] = customField(definition)
    const isUser = definition.type === 'user'
    return {
      value: sql`(${sql.raw(value)})::text`,
      ...(isUser ? { linked: ofNoRecord(callerLink()) } : {}),
    }
  }
  const hop = hopOf(record, by)
  if (hop) {
    const entry = await hopEntry(ctx, record, by)
    if (!entry) throw badField(parameter, `${by} is not a field of ${record.module}`)
    const value = forReader(ctx, entry.sql)
    const { field } = hop
    return isLink(field)
      ? { value, linked: linkedBy(ctx, field) }
      : { value: sql`(${value})::text` }
  }
  const field = ownField(record, by)
  if (!field) throw badField(parameter, `${by} is not a field of ${record.module}`)
  const value = forReader(ctx, field.word ?? columnOf(by, field))
  return isLink(field) ? { value, linked: linkedBy(ctx, field) } : { value: sql`(${value})::text` }
}

/** The field of a linked record behind a name such as `account_id.segment`. */
export function hopOf(
  record: AnyRecord,
  name: string,
): { record: AnyRecord; name: string; field: Field } | undefined {
  const [link = '', part = '', ...more] = name.split('.')
  if (link === 'custom_fields' || more.length) return undefined
  const target = ownField(record, link)?.reference?.to?.()
  const field = target && ownField(target, part)
  return target && field ? { record: target, name: part, field } : undefined
}

/** How conditions name a field of a linked record; undefined where the caller may not, as whoever is confined. */
export async function hopEntry(
  ctx: Context,
  record: AnyRecord,
  name: string,
): Promise<Filterable | undefined> {
  if (ctx.actor.is_confined) return undefined
  return entryOf(await filterRegistry(ctx, record), name)
}

/** What a link leads to, as far as a read shows it. */
function linkedBy(ctx: Context, { reference }: LinkField): NonNullable<Key['linked']> {
  const { table, to } = reference
  const target = to?.()
  if (!target) return ofNoRecord(reference)
  const {
    title,
    fields,
    life: { softDelete },
  } = target
  const column = fields[title]?.column ?? title
  const rows = forReader(ctx, linkedRowsOf(table, ['id', column]))
  const alive = all(mine(ctx), softDelete ? sql`t.deleted_at is null` : undefined)
  return {
    rows: sql`(select t.organization_id, t.id, t.${sql.ref(column)} as label from ${rows} t where ${alive})`,
    value: sql.raw('x.id'),
    label: sql.raw('x.label'),
    color: sql.raw('null::text'),
  }
}

function ofNoRecord({ table, named = 'id', label }: Reference): NonNullable<Key['linked']> {
  const { name = 'id', color } = label ?? {}
  return {
    rows: sql.raw(table),
    value: sql.raw(`x.${named}`),
    label: sql.raw(`x.${name}`),
    color: sql.raw(`${color ? `x.${color}` : 'null'}::text`),
  }
}

/** The link to those who call, as fields of records have it. */
function callerLink(): Reference {
  const links = registered().flatMap(({ fields }) => Object.values(fields))
  const found = links.find(({ reference }) => reference?.isCaller)?.reference
  if (!found) throw new Error('no field names who calls')
  return found
}

/** What is added up: money in each currency by itself, other numbers as they are. */
type Amount = { name: string; value: Query; isMoney: boolean }

async function amountsOf(ctx: Context, record: AnyRecord, sum = ''): Promise<Amount[]> {
  const names = [...new Set(sum.split(',').map((name) => name.trim()))].filter(Boolean)
  if (names.length > mostSums) throw badField('sum', `at most ${mostSums} fields`)
  return Promise.all(names.map((name) => amountOf(ctx, record, name)))
}

/** A number that can be added up. 400 naming `parameter` where it is none. */
export async function amountOf(
  ctx: Context,
  record: AnyRecord,
  name: string,
  parameter = 'sum',
): Promise<Amount> {
  const definition = await definitionOf(ctx, record, name)
  if (definition) {
    const [, { kind, sql: value }] = customField(definition)
    if (kind !== 'number') throw badField(parameter, `${name} is not a number`)
    return { name, value: sql.raw(value), isMoney: definition.type === 'currency' }
  }
  const field = ownField(record, name)
  if (!field || !isSummable(field)) throw badField(parameter, `${name} is not a number`)
  return { name, value: forReader(ctx, columnOf(name, field)), isMoney: Boolean(field.isMoney) }
}

/** Whether the values of a field can be added up. */
export function isSummable({ kind, schema, access }: Field): boolean {
  return ['number', 'integer'].includes(kind) && !schema.enum && access !== 'key'
}

/** The organization's own field behind `custom_fields.…`, where the caller is shown it. */
export async function definitionOf(ctx: Context, record: AnyRecord, name: string) {
  if (!name.startsWith('custom_fields.')) return undefined
  const key = name.slice('custom_fields.'.length)
  for (const module of record.find.filteredAs ?? [record.module]) {
    const found = (await shownDefinitions(ctx, module)).get(key)
    if (found && !found.is_built_in) return found
  }
  return undefined
}

type Parts = { shape: Shape; order: Sort[]; selection: Selection }

function statement(
  ctx: Context,
  record: AnyRecord,
  { shape, order, selection }: Parts,
  { key, amounts, items = 0, order: by }: Grouping & { key: Key; amounts: Amount[] },
): Query {
  const table = sql.table(record.table)
  const byValues = order.filter(({ sql }) => sql !== 't.id')
  const sorted = byValues.map(({ value }, i) => sql`, ${value} as ${sql.ref(`s${i}`)}`)
  const summed = amounts.map(({ value }, i) => sql`, (${value})::numeric as ${sql.ref(`a${i}`)}`)
  const currency = amounts.some(({ isMoney }) => isMoney) ? currencyOf(ctx, record) : sql`null`
  const own = sql`select t.id, coalesce(${key.value}, '') as raw, ${currency}::text as currency${sql.join([...sorted, ...summed], sql``)}
    from ${table} t ${joinsOf(order)} where ${selection.condition}`
  const added = amounts.map((_, i) => sql`, sum(${sql.ref(`a${i}`)}) as ${sql.ref(`a${i}`)}`)
  // rows are counted before they are joined or sorted: of 150,000 contacts that alone takes a fifth of the time
  const groups = sql`with own as (${own}),
    counted as materialized (
      select raw, currency, count(*) as n${sql.join(added, sql``)} from own group by raw, currency),
    named as materialized (${namedBy(key, sql`(select raw, sum(n) as n from counted group by raw)`)}),
    r as (select counted.*, coalesce(named.value, '') as g, named.label, named.color
      from counted join named on named.raw = counted.raw),
    groups as (select g, min(label) as label, min(color) as color, sum(n) as n from r group by g),
    ranked as (select *, sum(n) over () as total,
      row_number() over (order by ${groupOrder(by)}, n desc, g) as place from groups),
    sums as (${sumsOf(amounts)})`
  const columns = sql`w.place, w.g, w.label, w.color, w.n, w.total, sums.amounts`
  const shown = sql`from ranked w left join sums on sums.g = w.g`
  const first = sql`w.place <= ${mostGroups}`
  if (!items) return sql`${groups} select null, ${columns} ${shown} where ${first} order by w.place`
  const within = order.map((key) => {
    const at = byValues.indexOf(key)
    const value = at < 0 ? sql`own.id` : sql.ref(`own.s${at}`)
    return sql`${value} ${sql.raw(key.descends ? 'desc' : 'asc')}`
  })
  return sql`${groups},
    picked as (select * from (select own.id, w.place,
        row_number() over (partition by w.place order by ${sql.join(within)}) as at
      from own join named on named.raw = own.raw
      join ranked w on w.g = coalesce(named.value, '') and ${first}) own
      where at <= ${items})
    select ${columnsWithRights(ctx, shape, record)}, ${columns}
    ${shown} left join picked on picked.place = w.place
    left join ${table} t on ${mine(ctx)} and t.id = picked.id ${joinsFor(ctx, shape)}
    where ${first} order by picked.at nulls first, w.place`
}

/** For each raw value of `counted` the value of its group, and of a linked record its name and colour. */
export function namedBy({ linked }: Key, counted: Query): Query {
  // each linked record is looked up once, however many records lead to it
  if (linked)
    return sql`select d.raw, x.value, x.label, x.color from ${counted} d
      left join lateral (select ${linked.value} as value, ${linked.label} as label,
          ${linked.color} as color from ${linked.rows} x
        where x.organization_id = $organization and x.id = d.raw limit 1) x on true`
  // texts that conditions hold for equal are one group, by the spelling that most have
  return sql`select d.raw, first_value(d.raw) over (partition by lower(d.raw collate "default")
      order by d.n desc, d.raw collate "C") as value, null as label, null as color
    from ${counted} d`
}

/** How many cells follow those of the record. */
const groupCells = 7

function groupOrder(by: GroupOrder = 'options'): Query {
  const name = sql`nullif(coalesce(label, g), '') collate "C"`
  const orders = {
    options: sql`n desc`,
    '-count': sql`n desc`,
    count: sql`n`,
    label: sql`${name} nulls last`,
    '-label': sql`${name} desc nulls last`,
  }
  return orders[by]
}

function sumsOf(amounts: Amount[]): Query {
  if (!amounts.length) return sql`select null as g, null as amounts where false`
  const each = amounts.map(({ name, isMoney }, i) => {
    const currency = sql.raw(isMoney ? 'currency' : 'null::text')
    const value = sql.ref(`a${i}`)
    return sql`select g, ${i}::int as at, ${name}::text as field, ${currency} as currency,
      sum(${value}) as value from r where ${value} is not null group by 1, 4`
  })
  return sql`select g, json_agg(json_build_object('field', field, 'currency_unit', currency,
      'value', value) order by at, currency) as amounts
    from (${sql.join(each, sql` union all `)}) each group by g`
}

/** The currency of a record's amounts: its own, else the organization's. */
/** The currency of a record's amounts, over `t`: its own, else the organization's. */
export function currencyOf(ctx: Context, { fields: { currency_unit } }: AnyRecord): Query {
  if (currency_unit) return forReader(ctx, columnOf('currency_unit', currency_unit))
  return sql`(select o.currency_unit from organizations o
    where o.organization_id = $organization)`
}

async function gathered(
  ctx: Context,
  shape: Shape,
  rows: Cells[],
  isCut: boolean,
): Promise<Groups> {
  const groups = new Map<string, Group>()
  let total = 0
  const texts = await textsOf(ctx, shape, rows)
  for (const [i, row] of rows.entries()) {
    const [place, g, label = null, color = null, n, all, sums] = row.slice(-groupCells)
    total = Number(all)
    let group = groups.get(place!)
    if (!group) {
      const value = g || null
      const amounts = JSON.parse(sums ?? '[]') as Group['sums']
      group = { value, label, color, count: Number(n), sums: amounts, records: [] }
      groups.set(place!, group)
    }
    if (row[0] !== null && texts[i] !== undefined) group.records.push(texts[i])
  }
  const counted = [...groups.values()].reduce((sum, { count }) => sum + count, 0)
  // the first record of each group comes before the second of any, so that the deepest are cut first
  if (isCut && groups.size < mostGroups && counted < total) {
    throw badRequest(
      `These records are too large for one answer of ${ctx.limits.pageBytes} bytes: choose fields`,
      undefined,
      'result_too_large',
    )
  }
  return { groups: [...groups.values()], total }
}

/** Rows that are written at once: a few milliseconds. */
const rowsPerTurn = 250

/** The texts of as many of the rows as fit into an answer; rows without a record have none. */
async function textsOf(ctx: Context, shape: Shape, rows: Cells[]): Promise<(string | undefined)[]> {
  const written: string[] = []
  for (let at = 0; at < rows.length; at += rowsPerTurn) {
    const part = rows.slice(at, at + rowsPerTurn)
    // a group without records has a row of nulls, whose text nobody reads
    const filled = part.filter(([id]) => id !== null)
    const texts = (await writeReads(ctx, shape, filled)).values()
    for (const cells of part) {
      written.push(cells[0] === null ? '' : (texts.next().value ?? ''))
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return fitting(written, ctx.limits.pageBytes)
}
