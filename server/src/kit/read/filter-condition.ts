import type { Query } from '../ground/context.ts'
import type { DayWord } from '../ground/dates.ts'
import { dayRange, dayWords, today } from '../ground/dates.ts'
import { piecesOf } from '../ground/fold.ts'
import { sql } from '../ground/sql.ts'
import { template } from '../record/readable.ts'
import type { FilterCost } from './filter-cost.ts'
import type { At, Output, Reader, Subject } from './filter.ts'
import { visitFilter } from './filter.ts'
import type { Filterable, Registry } from './filter-fields.ts'
import { endsAs, holdsPieces, startsAs } from './holds.ts'
import { chosen, most, text, finite, entries, word, readers, span } from './filter-values.ts'

/** Compiles a filter to one condition over `t` in which every value is a parameter; see `visitFilter`. */
export function compileFilter(
  registry: Registry,
  input: unknown,
  reader: Reader,
  name?: string,
  cost?: FilterCost,
): Query {
  return visitFilter(registry, input, reader, asCondition, name, cost) ?? sql`true`
}

/** A filter as SQL. */
export const asCondition: Output<Query> = {
  one: compileOne,
  joined: (parts, joint) =>
    sql.join(
      parts.map((part) => sql`(${part})`),
      sql.raw(` ${joint} `),
    ),
  not: (part) => sql`(${part}) is not true`,
}

/** A negative operator is whatever its opposite leaves, empty values among it. */
const opposites: { [operator: string]: string } = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  contains_none: 'contains_any',
  is_not_empty: 'is_empty',
}

function compileOne(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong, at } = subject
  const opposite = opposites[operator]
  if (opposite) return sql`(${compileOne(subject, opposite, value)}) is not true`
  if (standing.has(operator)) return standingCondition(subject, operator, value)
  if (field.kind === 'list') return listCondition(subject, operator, value)
  if (operator === 'contains') return holdsPieces(field.sql, piecesOf(text(value, wrong)), at)
  if (operator === 'starts_with') return startsAs(field.sql, text(value, wrong), at)
  if (operator === 'ends_with') return endsAs(field.sql, text(value, wrong), at)
  if (operator !== 'between') return relation(subject, operator, value)
  if (!Array.isArray(value) || value.length !== 2) throw wrong('an array of two: [from, to]')
  return between(subject, value[0], value[1])
}

/** Operators that say it all, but for a number of days. */
const standing = new Set<string>(['is_empty', 'past', 'future', ...dayWords])

/** What filter builders send for operators without a value. */
const sayNothing: unknown[] = [undefined, null, '', true]

function standingCondition(subject: Subject, operator: string, value: unknown): Query {
  const { field, clock, wrong, at } = subject
  let count = 1
  if (operator.endsWith('_x_days')) {
    const must = `a whole number of days from 1 to ${most.days}`
    count = finite(value, wrong, must)
    if (!Number.isInteger(count) || count < 1 || count > most.days) throw wrong(must)
  } else if (!sayNothing.includes(value)) throw wrong('left out')
  if (operator === 'is_empty') return at(emptiness(field, at))
  if (operator === 'past' || operator === 'future') {
    const now = field.kind === 'date' ? today(clock) : clock.now.toISOString()
    return relation(subject, operator === 'past' ? 'lt' : 'gt', now)
  }
  const range = dayRange(operator as DayWord, clock, count)
  return range ? between(subject, range.from, range.to) : sql`true`
}

function between(subject: Subject, from: unknown, to: unknown): Query {
  return sql`${relation(subject, 'gte', from)} and ${relation(subject, 'lte', to)}`
}

function emptiness({ kind, sql, stored, gone }: Filterable, at: At): string {
  if (kind === 'text') return `coalesce(${sql}, '') = ''`
  if (gone) {
    // a reader of the whole other table does not need a look-up of each row
    const id = stored !== undefined && at.isWhole?.(sql) !== false ? stored : sql
    return `(${id} is null or ${gone})`
  }
  if (kind !== 'list' && kind !== 'json') return `${sql} is null`
  return `coalesce(${sql}, 'null') in ('null', '[]', '{}', '""')`
}

/** The whole array is folded as JSON text: quotes, digits and escapes have no case to lose. */
function listCondition({ field, wrong, at }: Subject, operator: string, value: unknown): Query {
  const sent = operator === 'contains' ? [value] : entries(value, wrong)
  const isPlain = (one: unknown) => typeof one === 'boolean' || Number.isFinite(one)
  const must = 'text, numbers or booleans'
  const values = sent.map((one) => (isPlain(one) ? one : chosen(field, text(one, wrong, must))))
  const left = at(`lower((${field.sql})::text)::jsonb`)
  if (operator !== 'contains_any')
    return sql`${left} @> lower(${JSON.stringify(values)}::text)::jsonb`
  const each = values.map((one) => JSON.stringify([one]))
  return sql`${left} @> any(lower(${each}::text)::jsonb[])`
}

const signs: { [operator: string]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function relation(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong, at } = subject
  if (field.kind === 'timestamp') return timeRelation(subject, operator, value)
  const isStored = template(field.sql).plain === field.stored && at.isWhole?.(field.sql) !== false
  const masked = field.stored !== undefined && !isStored
  if (masked && (operator === 'eq' || operator === 'in')) {
    // an index serves what is stored; whether reads show it is checked on those rows only
    const as = (sql: string) => ({ ...subject, field: { ...field, sql, stored: undefined } })
    const each = [field.stored ?? '', field.sql].map((sql) => relation(as(sql), operator, value))
    return sql`(${sql.join(each, sql` and `)})`
  }
  const many = operator === 'in'
  const exact = many || operator === 'eq'
  const words = exact ? field.words : undefined
  const read = (one: unknown) => {
    if (words) return word(one, words, wrong)
    return (readers[field.kind] ?? text)(exact ? chosen(field, one) : one, wrong)
  }
  const right = many ? entries(value, wrong).map(read) : read(value)
  // both sides folded by PostgreSQL: it and JavaScript differ in İ and in Σ at a word's end
  const folds = field.kind === 'text' && !words
  const left = folds ? foldedOf(field) + (exact ? '' : ' collate "C"') : field.sql
  // without a cast a parameter takes the column's type, which an integer may not fit
  const cast = field.kind === 'integer' ? '::numeric' : ''
  if (!many && folds) return sql`${at(`${left} ${signs[operator]}`)} lower(${right}::text)`
  if (field.named) {
    const all = many ? right : [right]
    return sql`(${at(left)} = any(${all}) or ${at(field.named)} = any(${all}))`
  }
  if (!many) return sql`${at(`${left} ${signs[operator]}`)} ${right}${sql.raw(cast)}`
  if (folds) return sql`${at(left)} = any(lower(${right}::text)::text[])`
  return sql`${at(left)} = any(${right}${sql.raw(cast && `${cast}[]`)})`
}

/** A day lasts until the next one starts, an instant for the millisecond that reads show. */
function timeRelation(subject: Subject, operator: string, value: unknown): Query {
  if (operator === 'in') {
    const each = entries(value, subject.wrong).map((one) => timeRelation(subject, 'eq', one))
    return sql.join(each, sql` or `)
  }
  const left = subject.at(subject.field.sql)
  const [from, to] = span(value, subject)
  if (operator === 'eq') return sql`(${left} >= ${from} and ${left} < ${to})`
  const edge = operator === 'gt' || operator === 'lte' ? to : from
  return sql`${left} ${sql.raw(operator.startsWith('g') ? '>=' : '<')} ${edge}`
}

function foldedOf(field: Filterable): string {
  return field.folded ?? `lower((${field.sql}) collate "default")`
}
