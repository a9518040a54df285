import type { Context, Query } from '../../../src/kit/ground/context.ts'
import type { Filterable } from '../../../src/kit/read/filter-fields.ts'
import { allSorts, filterRegistry, compiled } from '../../../src/kit/read/filter-registry.ts'
import { operatorsOf } from '../../../src/kit/read/filter.ts'
import { listPage } from '../../../src/kit/read/list.ts'
import type { Linked } from '../../../src/kit/read/sort.ts'
import { linkedEntry, sortsOf } from '../../../src/kit/read/sort.ts'
import type { Json } from '../../../src/kit/ground/operation.ts'
import { shownTo } from '../../../src/kit/record/audience.ts'
import { forReader } from '../../../src/kit/record/readable.ts'
import type { AnyRecord } from '../../../src/kit/record/record.ts'
import { scope } from '../../../src/kit/record/scope.ts'
import { sql } from '../service.ts'
import type { Dice } from './dense.ts'

/** One condition of a filter. */
export type Condition = { field: string; operator: string; value?: unknown }

/** Values that rows hold by field, whoever may read them: what somebody who guesses would send. */
export type Values = Map<string, string[]>

/** The values that all rows of a record hold in its fields and in those one hop away. */
export async function valuesOf(
  system: Context,
  record: AnyRecord,
  fields: Iterable<[string, Filterable]>,
): Promise<Values> {
  const values: Values = new Map()
  for (const batch of chunks([...fields], 60)) {
    const cells = batch.map(
      ([, field]) => sql`(select coalesce(json_agg(v), '[]') from (
        select distinct left((${forReader(system, field.sql)})::text, 300) as v
        from ${sql.table(record.table)} t where t.organization_id = ${system.organization.id}
        order by 1 limit 12) d where v is not null)`,
    )
    const [row = []] = await system.cells(sql`select ${sql.join(cells)}`)
    for (const [i, [name]] of batch.entries()) {
      values.set(name, JSON.parse(row[i] ?? '[]') as string[])
    }
  }
  return values
}

/**
 * Conditions on every field that the caller may filter on: with every operator where it is computed or
 * leads to another record, with some one hop away, and with one where it is a column of the row itself,
 * which says nothing about another row. The conditions are dealt out to several callers. Values are those of rows that the caller may not read too.
 */
export async function conditionsFor(
  ctx: Context,
  record: AnyRecord,
  values: Values,
  { dice, part, parts }: { dice: Dice; part: number; parts: number },
): Promise<Condition[]> {
  const conditions: Condition[] = []
  let nth = 0
  for (const [field, { kind, words, sql: column }] of await filterRegistry(ctx, record)) {
    const all = operatorsOf(kind)
    const some = isColumn(column) ? [dice.one(all)] : field.includes('.') ? few(all, dice) : all
    // the only value in which the two organizations differ
    if (/(^|\.)organization$/.test(field)) continue
    const known = (values.get(field) ?? []).filter(
      (value) => !words || words.some((word) => word.toLowerCase() === value.toLowerCase()),
    )
    for (const operator of new Set(some.filter((each) => all.includes(each)))) {
      if (nth++ % parts !== part % parts) continue
      const value = valueFor(kind, operator, known, dice)
      if (value !== undefined) conditions.push({ field, operator, ...value })
    }
  }
  return conditions
}

/** The rows that the caller reads, that meet each condition, and their order by its part of the sort keys. */
export async function answersOf(
  ctx: Context,
  record: AnyRecord,
  conditions: Condition[],
  { part, parts } = { part: 0, parts: 1 },
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const ids = sql`array_to_json(array_agg(t.id order by t.id)`
  const expressions: [string, Query][] = []
  for (const condition of conditions) {
    const where = await compiled(ctx, record, [condition], 'filter')
    expressions.push([
      `filter ${JSON.stringify(condition)}`,
      sql`${ids} filter (where ${where}))::text`,
    ])
  }
  const rows = (join = sql``) =>
    sql`${sql.table(record.table)} t ${join} where ${scope(ctx, record, 'read')}`
  const shown = shownTo(ctx, record)
  const linked = await allSorts(ctx, record)
  const sorts = [...sortKeys(shown), ...linkedKeys(shown, linked)]
  for (const sort of sorts.filter((_, i) => i % parts === part % parts)) {
    const [key] = sortsOf(ctx, record, sort, false, linked)
    if (!key) continue
    const order = sql`array_to_json(array_agg(t.id order by ${key.value}, t.id))::text`
    // what is joined has its rows once for each key
    const joined = key.join && sql`(select ${order} from ${rows(key.join)})`
    expressions.push([`sort ${sort}`, joined ?? order])
  }
  for (const batch of chunks(expressions, 40)) {
    const [row = []] = await ctx.cells(sql`
      select ${sql.join(batch.map(([, query]) => query))} from ${rows()}`)
    for (const [i, [what]] of batch.entries()) answers.set(what, row[i] ?? 'none')
  }
  return answers
}

/** A list with every field of its rows, and its count. */
export async function listOf(ctx: Context, record: AnyRecord): Promise<string> {
  const { body, meta } = await listPage(ctx, record, {
    items_per_page: 500,
    include_count: true,
  })
  return `${meta.page?.total} ${(body as Json).text}`
}

/** The keys by which a list may be sorted. */
function sortKeys(record: AnyRecord): string[] {
  return Object.entries(record.fields)
    .filter(
      ([, field]) =>
        field.filterable && !field.reference?.shows && !['json', 'list'].includes(field.kind),
    )
    .map(([name]) => name)
}

/** Links, custom fields, and some of the fields of linked records, by which it may be sorted too. */
function linkedKeys({ fields }: AnyRecord, linked: Linked): string[] {
  const links = Object.keys(fields).filter((name) => fields[name]?.reference?.shows)
  const custom = [...linked.keys()].filter((name) => name.startsWith('custom_fields.'))
  const hops = [...linked.keys()].filter((name) => /^(?!custom_fields)\w+\./.test(name))
  const names = [...links, ...custom, ...hops.filter((_, i) => i % 4 === 0)]
  return names.filter((name) => linkedEntry(linked, name, fields[name]))
}

/** Whether the SQL of a field is a column of the row, which no other row decides. */
function isColumn(sql: string): boolean {
  return /^t\.\w+$/.test(sql)
}

function few(operators: string[], dice: Dice): string[] {
  return ['is_empty', 'eq', 'contains', dice.one(operators)].slice(dice.below(2) * 2)
}

function valueFor(
  kind: Filterable['kind'],
  operator: string,
  known: string[],
  dice: Dice,
): { value?: unknown } | undefined {
  const valueless =
    /^(is_|past|future|show_all|today|tomorrow|yesterday|current|next_[wmqy]|last_[wmqy])/
  if (valueless.test(operator)) return {}
  if (operator.endsWith('_x_days')) return { value: 60 }
  if (!known.length) return undefined
  const one = (): unknown => typed(kind, dice.one(known))
  const sample = one()
  if (sample === undefined) return undefined
  if (/^(in|not_in|contains_\w+)$/.test(operator)) return { value: [sample, one()] }
  if (operator === 'between') {
    const pair = [sample, one()].sort((a, b) =>
      a === b ? 0 : (a as string) < (b as string) ? -1 : 1,
    )
    return { value: pair }
  }
  if (kind === 'text' && /contains|starts|ends/.test(operator)) {
    return { value: (sample as string).slice(0, 5) }
  }
  return { value: sample }
}

function typed(kind: Filterable['kind'], text: string): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'timestamp':
      return new Date(text).toISOString()
    case 'list': {
      const entries = JSON.parse(
        text.startsWith('[') && text.endsWith(']') ? text : '[]',
      ) as unknown[]
      return entries.find((entry) => typeof entry === 'string')
    }
    default:
      return text
  }
}

function chunks<T>(list: T[], size: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < list.length; at += size) found.push(list.slice(at, at + size))
  return found
}
