import { Temporal } from 'temporal-polyfill'
import type { Context, Query } from '../ground/context.ts'
import { badField } from '../ground/errors.ts'
import { sql } from '../ground/sql.ts'
import { shownTo } from '../record/audience.ts'
import { forReader } from '../record/readable.ts'
import type { AnyRecord } from '../record/record.ts'
import { columnOf, ownField } from '../record/record.ts'
import { customField, entryOf } from './filter-fields.ts'
import { filterRegistry } from './filter-registry.ts'
import type { Key } from './groups.ts'
import { amountOf, currencyOf, definitionOf, hopEntry, hopOf, keyOf, namedBy } from './groups.ts'
import type { Selection } from './selection.ts'
import { explained } from './selection.ts'

/** The lengths of time by which dates are grouped. */
export const groupUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type GroupUnit = (typeof groupUnits)[number]

/** What is measured of a group; without a field `count` and `share` are of its records. */
export const measureKinds = ['count', 'sum', 'average', 'median', 'share', 'distinct'] as const
type MeasureKind = (typeof measureKinds)[number]

/** How figures are grouped, and what is measured. */
export type Measured = {
  unit?: GroupUnit
  /** the size of ranges of numbers */
  width?: number
  then?: string
  then_unit?: GroupUnit
  measures?: string
}

/** One number: `count` is how many records have a value, and `value` null where none has. */
export type Figure = {
  measure: string
  currency_unit: string | null
  count: number
  value: number | null
}

/** The records of a value; `label` and `color` are known of linked records alone. */
export type FigureGroup = {
  value: string | null
  label: string | null
  color: string | null
  count: number
  /** what finds these records, beside the conditions of the list */
  filter: object[]
  figures: Figure[]
}

/** The figures of a list; cells are those of both values. */
export type Figures = {
  groups: (FigureGroup & { cells: Pick<FigureGroup, 'value' | 'count' | 'figures'>[] })[]
  columns: FigureGroup[]
  figures: Figure[]
  total: number
  /** groups and columns beyond those that are answered; their records are in the totals */
  left_out: { groups: number; columns: number }
}

const mostGroups = 100
/** A year by day, and a month more. */
const mostDates = 400
const mostColumns = 25
const mostMeasures = 5
/** Rows of the statement: cells, each with its currencies. */
const mostRows = 10_000

/**
 * What is measured of the records of a list by the values of one or two fields, in one statement: of groups, of
 * columns, of both together and of all records, so that medians and numbers of different values are right in each.
 * Amounts are measured in each currency by themselves. 400 for too many groups, which names what would make fewer.
 */
export async function listFigures(
  ctx: Context,
  whole: AnyRecord,
  selection: Selection,
  { by, unit, width, then, then_unit, measures }: Measured & { by: string },
): Promise<Figures> {
  const record = shownTo(ctx, whole)
  if (then === by) throw badField('then', 'must be another field than by')
  if (then_unit && !then) throw badField('then_unit', 'needs then')
  const rows = await sideOf(ctx, record, { name: by, unit, width }, ['by', 'unit'])
  const columns = then
    ? await sideOf(ctx, record, { name: then, unit: then_unit }, ['then', 'then_unit'])
    : undefined
  const measured = await measuresOf(ctx, whole, measures)
  const query = statement(ctx, record, selection, { rows, columns, measured })
  const costs = [`figures by ${[by, then].filter(Boolean).join(' and ')}`]
  const found = await explained(
    () => costs,
    () => ctx.reading('heavy', record.table).all<Cell>(query),
  )
  refuseTooMany(found, [rows, ...(columns ? [columns] : [])])
  return gathered(found, { rows, columns, measured })
}

/** 400 for figures that a list of the record would refuse, naming the field below `at`. */
export async function checkFigures(
  ctx: Context,
  whole: AnyRecord,
  { by, unit, width, then, then_unit, measures }: Measured & { by: string },
  at: string,
): Promise<void> {
  const record = shownTo(ctx, whole)
  await sideOf(ctx, record, { name: by, unit, width }, [`${at}by`, `${at}unit`, `${at}width`])
  if (then)
    await sideOf(ctx, record, { name: then, unit: then_unit }, [`${at}then`, `${at}then_unit`])
  await measuresOf(ctx, whole, measures, `${at}measures`)
}

/** The values along one side of the figures. */
type Side = {
  name: string
  key: Key
  unit: GroupUnit | undefined
  /** of numbers: the size of the ranges */
  width?: number
  most: number
  field: string
}

async function sideOf(
  ctx: Context,
  record: AnyRecord,
  { name, unit, width }: { name: string; unit: GroupUnit | undefined; width?: number | undefined },
  [field, unitField, widthField = 'width']: [field: string, unitField: string, widthField?: string],
): Promise<Side> {
  const time = width === undefined ? await timeOf(ctx, record, name) : undefined
  if (!time) {
    if (unit) throw badField(unitField, `${name} is not a date`)
    if (width !== undefined) {
      const { value } = await amountOf(ctx, record, name, widthField)
      // a whole number of widths, without the zeros of decimals
      const first = sql`trim_scale(floor((${value})::numeric / ${width}::numeric) * ${width}::numeric)`
      return { name, key: { value: sql`(${first})::text` }, unit, width, most: mostGroups, field }
    }
    const key = await keyOf(ctx, record, name, field)
    return { name, key, unit, most: field.endsWith('by') ? mostGroups : mostColumns, field }
  }
  const { timezone, week_start = 1 } = ctx.organization
  const chosen = unit ?? 'month'
  const there =
    time.kind === 'date'
      ? sql`(${time.value})::timestamp`
      : sql`(${time.value}) at time zone ${timezone}`
  // the last instant that is stored is in the year 10000 east of Greenwich
  const last = sql`timestamp '9999-12-31'`
  const local = sql`case when ${there} > ${last} then ${last} else ${there} end`
  // PostgreSQL's weeks begin on Monday
  const shift = sql.raw(`interval '${chosen === 'week' ? week_start - 1 : 0} days'`)
  const first = sql`date_trunc(${sql.raw(`'${chosen}'`)}, ${local} - ${shift}) + ${shift}`
  const key = { value: sql`to_char(${first}, 'YYYY-MM-DD')` }
  return {
    name,
    key,
    unit: chosen,
    most: field === 'by' ? mostDates : mostColumns,
    field: unitField,
  }
}

/** The SQL of a date or an instant; undefined of other fields. */
async function timeOf(ctx: Context, record: AnyRecord, name: string) {
  const definition = await definitionOf(ctx, record, name)
  if (definition) {
    const [, { kind, sql: value }] = customField(definition)
    return isTime(kind) ? { kind, value: sql.raw(value) } : undefined
  }
  if (hopOf(record, name)) {
    const entry = await hopEntry(ctx, record, name)
    return entry && isTime(entry.kind)
      ? { kind: entry.kind, value: forReader(ctx, entry.sql) }
      : undefined
  }
  const field = ownField(record, name)
  if (!field?.filterable || !isTime(field.kind)) return undefined
  return { kind: field.kind, value: forReader(ctx, columnOf(name, field)) }
}

/** Whether the values of a kind of field are days or instants. */
export function isTime(kind: string): boolean {
  return kind === 'date' || kind === 'timestamp'
}

/** A measure: SQL over `t`, and how its values are made one. */
type Measure = { name: string; kind: MeasureKind; value: Query | undefined; isMoney: boolean }

async function measuresOf(
  ctx: Context,
  record: AnyRecord,
  words = 'count',
  parameter = 'measures',
): Promise<Measure[]> {
  const names = [...new Set(words.split(',').map((name) => name.trim()))].filter(Boolean)
  if (!names.length || names.length > mostMeasures)
    throw badField(parameter, `1 to ${mostMeasures} measures, separated by commas`)
  return Promise.all(names.map((name) => measureOf(ctx, record, name, parameter)))
}

async function measureOf(
  ctx: Context,
  whole: AnyRecord,
  name: string,
  parameter: string,
): Promise<Measure> {
  const at = name.indexOf(':')
  const [word, field] = at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)]
  const kind = measureKinds.find((each) => each === word)
  const must = `${name.slice(0, 100)} is not count, share or one of sum, average, median, share, distinct with a field, such as sum:revenue`
  if (!kind || (field ? kind === 'count' : kind !== 'count' && kind !== 'share'))
    throw badField(parameter, must)
  if (!field) return { name, kind, value: undefined, isMoney: false }
  const record = shownTo(ctx, whole)
  if (kind !== 'distinct') {
    const { value, isMoney } = await amountOf(ctx, record, field, parameter)
    return { name, kind, value: sql`(${value})::numeric`, isMoney }
  }
  const entry = entryOf(await filterRegistry(ctx, whole), field)
  if (!entry || entry.kind === 'json' || entry.kind === 'list')
    throw badField(parameter, `${field} has no values that can be counted`)
  const value = sql`nullif(lower((${forReader(ctx, entry.sql)})::text collate "default"), '')`
  return { name, kind, value, isMoney: false }
}

type Parts = { rows: Side; columns: Side | undefined; measured: Measure[] }

/** A row of the statement: `g1` and `g2` are null in what is of all of their values, `unit` of all currencies. */
type Cell = {
  g1: string | null
  g2: string | null
  unit: string | null
  n: number
  many1: number
  many2: number
  label1: string | null
  color1: string | null
  label2: string | null
  color2: string | null
  values: { n: number; v: number | null }[]
}

function statement(
  ctx: Context,
  record: AnyRecord,
  { condition }: Selection,
  { rows, columns, measured }: Parts,
): Query {
  const hasMoney = measured.some(({ isMoney }) => isMoney)
  const currency = hasMoney ? currencyOf(ctx, record) : sql`null`
  const values = measured.map(({ value }, i) => sql`, ${value ?? sql`1`} as ${sql.ref(`m${i}`)}`)
  const carried = measured.map((_, i) => sql`, own.${sql.ref(`m${i}`)}`)
  const each = measured.map(({ kind }, i) => {
    const m = sql.ref(`m${i}`)
    return sql`json_build_object('n', count(${m}), 'v', ${aggregates[kind](m)})`
  })
  const second = columns?.key.value ?? sql`null`
  const sides = [sql`(g1)`, sql`()`, ...(columns ? [sql`(g1, g2)`, sql`(g2)`] : [])]
  const both = [sql`(g1, g2, unit)`, sql`(g2, unit)`]
  const byUnit = [sql`(g1, unit)`, sql`(unit)`, ...(columns ? both : [])]
  const sets = hasMoney ? [...sides, ...byUnit] : sides
  // a side that is not asked for has one value
  return sql`with own as materialized (
      select coalesce(${rows.key.value}, '') as raw1, coalesce(${second}, '') as raw2,
        coalesce(${currency}::text, '') as unit${sql.join(values, sql``)}
      from ${sql.table(record.table)} t where ${condition}),
    named1 as materialized (${namedBy(rows.key, sql`(select raw1 as raw, count(*) as n from own group by 1)`)}),
    named2 as materialized (${namedBy(columns?.key ?? { value: sql`null` }, sql`(select raw2 as raw, count(*) as n from own group by 1)`)}),
    r as materialized (select coalesce(named1.value, '') as g1, coalesce(named2.value, '') as g2,
        own.unit${sql.join(carried, sql``)}
      from own join named1 on named1.raw = own.raw1 join named2 on named2.raw = own.raw2),
    size1 as (${sizes(sql`g1`)}), size2 as (${sizes(sql`g2`)}),
    look1 as (${looks(sql`named1`)}), look2 as (${looks(sql`named2`)}),
    cells as (select g1, ${sql.raw(columns ? 'g2' : 'null as g2')}, ${sql.raw(hasMoney ? 'unit' : 'null as unit')}, count(*) as n, json_build_array(${sql.join(each)}) as "values"
      from r group by grouping sets (${sql.join(sets)}))
    select cells.*, coalesce(size1.many, 0) as many1, coalesce(size2.many, 0) as many2,
      look1.label as label1, look1.color as color1, look2.label as label2, look2.color as color2
    from cells left join size1 on size1.g = cells.g1 left join size2 on size2.g = cells.g2
      left join look1 on look1.g = cells.g1 left join look2 on look2.g = cells.g2
    where (cells.g1 is null or size1.place <= ${rows.most})
      and (cells.g2 is null or size2.place <= ${columns?.most ?? 1})
    order by size1.place nulls first, size2.place nulls first, cells.unit nulls first
    limit ${mostRows + 1}`
}

/** The largest first. */
function sizes(g: Query): Query {
  return sql`select ${g} as g, row_number() over (order by count(*) desc, ${g}) as place,
    count(*) over () as many from r group by ${g}`
}

function looks(named: Query): Query {
  return sql`select coalesce(value, '') as g, min(label) as label, min(color) as color
    from ${named} group by 1`
}

/** Beyond what is stored of amounts; sums of whole numbers stay whole. */
const decimals = 6

const aggregates: { [kind in MeasureKind]: (m: Query) => Query } = {
  count: (m) => sql`count(${m})`,
  sum: (m) => sql`sum(${m})`,
  average: (m) => sql`round(avg(${m}), ${sql.raw(String(decimals))})`,
  median: (m) => sql`round((percentile_cont(0.5) within group (order by (${m})::float8))::numeric,
    ${sql.raw(String(decimals))})`,
  share: (m) => sql`sum(${m})`,
  distinct: (m) => sql`count(distinct ${m})`,
}

function refuseTooMany(found: Cell[], sides: Side[]) {
  for (const [i, { unit, most, field }] of sides.entries()) {
    if (!unit) continue
    const many = Math.max(0, ...found.map((cell) => (i ? cell.many2 : cell.many1)))
    if (many > most)
      throw badField(
        field,
        `makes ${many} groups of at most ${most}: choose a longer one, or filter`,
      )
  }
  if (found.length > mostRows)
    throw badField('then', `makes more than ${mostRows} figures: choose another field, or filter`)
}

function gathered(found: Cell[], { rows, columns, measured }: Parts): Figures {
  const places = Map.groupBy(found, ({ g1, g2 }) => JSON.stringify([g1, g2]))
  const at = (g1: string | null, g2: string | null) => places.get(JSON.stringify([g1, g2])) ?? []
  const all = at(null, null)
  const figuresOf = (its: Cell[]) => figures(its, all, measured)
  const countOf = (its: Cell[]) => its.find(({ unit }) => unit === null)?.n ?? 0
  const isWhole = ({ unit }: Cell) => unit === null
  const whole = found.filter(isWhole)
  const groups = whole.filter(({ g1, g2 }) => g1 !== null && g2 === null)
  const others = columns ? whole.filter(({ g1, g2 }) => g1 === null && g2 !== null) : []
  const second = whole.filter(({ g1, g2 }) => columns && g1 !== null && g2 !== null)
  const cells = Map.groupBy(second, ({ g1 }) => g1)
  const leftOut = (many: number | undefined, shown: number) => Math.max(0, (many ?? 0) - shown)
  return {
    groups: groups.map(({ g1, label1: label, color1: color, n }) => ({
      value: g1 || null,
      label,
      color,
      count: n,
      filter: filterOf(rows, g1),
      figures: figuresOf(at(g1, null)),
      cells: (cells.get(g1) ?? []).map(({ g2, n: count }) => ({
        value: g2 || null,
        count,
        figures: figuresOf(at(g1, g2)),
      })),
    })),
    columns: others.map(({ g2, label2: label, color2: color, n }) => ({
      value: g2 || null,
      label,
      color,
      count: n,
      filter: columns ? filterOf(columns, g2) : [],
      figures: figuresOf(at(null, g2)),
    })),
    figures: figuresOf(all),
    total: countOf(all),
    left_out: {
      groups: leftOut(groups[0]?.many1, groups.length),
      columns: leftOut(others[0]?.many2, others.length),
    },
  }
}

/** Amounts are of a currency, other measures of all records. */
function figures(its: Cell[], all: Cell[], measured: Measure[]): Figure[] {
  return measured.flatMap(({ name, kind, isMoney }, i) =>
    its
      .filter(({ unit, values }) => (isMoney ? unit !== null && values[i]?.n : unit === null))
      .map(({ unit, values }) => {
        const { n = 0, v = null } = values[i] ?? {}
        const whole = all.find((one) => one.unit === unit)?.values[i]?.v
        const value = kind === 'share' ? shareOf(v, whole) : v
        return { measure: name, currency_unit: unit || null, count: n, value }
      }),
  )
}

/** Per cent of a whole, to two decimals; null of nothing. */
function shareOf(part: number | null, whole: number | null | undefined): number | null {
  return part === null || !whole ? null : Math.round((part / whole) * 10_000) / 100
}

/** What finds the records of a value, in the words of the list's own filter. */
function filterOf({ name, unit, width }: Side, value: string | null): object[] {
  if (!value) return [{ field: name, operator: 'is_empty' }]
  if (width !== undefined) {
    const end = Number((Number(value) + width).toPrecision(15))
    return [
      { field: name, operator: 'gte', value: Number(value) },
      { field: name, operator: 'lt', value: end },
    ]
  }
  if (!unit) return [{ field: name, operator: 'eq', value }]
  return [{ field: name, operator: 'between', value: [value, lastDay(value, unit)] }]
}

function lastDay(first: string, unit: GroupUnit): string {
  const lengths = {
    day: { days: 1 },
    week: { weeks: 1 },
    month: { months: 1 },
    quarter: { months: 3 },
    year: { years: 1 },
  }
  const last = `${Temporal.PlainDate.from(first).add(lengths[unit]).subtract({ days: 1 })}`
  return last.startsWith('+') ? '9999-12-31' : last
}
