import { equal, isObject } from '../ground/object.ts'
import type { Context } from '../ground/context.ts'
import type { AnyRecord, Field } from '../record/record.ts'
import { fieldNamed, isWritable } from '../record/record.ts'
import type { Change } from '../ground/event.ts'

// What a write changes, computed from what a read showed before and shows after.

type Row = { [field: string]: unknown }
type Body = { [key: string]: unknown }

/** The columns that differ from what a read showed; objects merge one level deep. */
export function changedColumns(
  record: AnyRecord,
  before: Row,
  values: Body,
  as: (field: Field, value: unknown) => unknown,
): Body {
  const columns: Body = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fieldNamed(record, name)
    const old = before[name]
    const merged =
      field.kind === 'json' && isObject(value) && isObject(old) ? { ...old, ...value } : value
    if (!same(field, old, merged)) columns[field.column ?? name] = as(field, merged)
  }
  return columns
}

/** The columns that an operation sets, without those that a read shows to hold their value already. */
export function withoutSame(record: AnyRecord, before: Row, set: Body): Body {
  const left = { ...set }
  for (const [name, field] of Object.entries(record.fields)) {
    const column = field.column ?? name
    if (field.expression || field.read || !Object.hasOwn(left, column)) continue
    const value = left[column]
    const isJson = field.kind === 'json' || field.kind === 'list'
    const supplied = isJson && typeof value === 'string' ? JSON.parse(value) : value
    if (same(field, before[name], supplied)) delete left[column]
  }
  return left
}

/**
 * A change without what only repeats the result of a read, so that it is not checked again: a person
 * named there may have left since, or a record been deleted.
 */
export function withoutRepeated<B extends object>(before: object, body: B): B {
  const shown = before as Row
  const changed = Object.entries(body as Body).filter(
    ([name, value]) => !Object.hasOwn(shown, name) || !equal(shown[name] ?? null, value ?? null),
  )
  return Object.fromEntries(changed) as B
}

/** Whether a value equals the one that a read showed; links compare by id. */
function same(field: Field, old: unknown, value: unknown): boolean {
  if (field.reference?.shows && isObject(old)) return Object.values(old)[0] === value
  return equal(old ?? null, value ?? null)
}

/**
 * What a write changed, by field, from two reads of the record: in what a body may set, and in the
 * columns that the operation set itself.
 */
export function differences(
  record: AnyRecord,
  before: Row,
  after: Row,
  set: string[] = [],
): Change[] {
  const changes: Change[] = []
  for (const [name, field] of Object.entries(record.fields)) {
    if (name === 'custom_fields') {
      const keys = new Set([...Object.keys(before[name] ?? {}), ...Object.keys(after[name] ?? {})])
      for (const key of keys) {
        const [from, to] = [ownValue(before[name] as Body, key), ownValue(after[name] as Body, key)]
        if (!equal(from, to)) changes.push({ field: `custom_fields.${key}`, from, to })
      }
    } else if (
      (isWritable(field) || set.includes(field.column ?? name)) &&
      !equal(before[name], after[name])
    ) {
      changes.push({ field: name, from: before[name], to: after[name] })
    }
  }
  return changes
}

/** The own value of an object under a key; every object inherits a `constructor`. */
export function ownValue(object: Body | null | undefined, key: string): unknown {
  return object && Object.hasOwn(object, key) ? object[key] : null
}

/** The values of a new record, as changes from nothing. */
export function firstValues(values: Body, custom: Body): Change[] {
  const changes: Change[] = []
  for (const [field, to] of Object.entries({ ...values, ...custom })) {
    if (to !== null)
      changes.push({ field: field in values ? field : `custom_fields.${field}`, from: null, to })
  }
  return changes
}

/** The same as a read shows it: links as objects, and what the operation set itself. */
export function firstShown(record: AnyRecord, row: Row, names: string[]): Change[] {
  return firstValues(
    displayedValues(row, names),
    record.open ? ((row.custom_fields as Body | undefined) ?? {}) : {},
  )
}

/** The fields of a row that hold a value. */
export function displayedValues(row: Row, names: string[]): Body {
  const shown = names.filter((name) => row[name] !== undefined && !isBlank(row[name]))
  return Object.fromEntries(shown.map((name) => [name, row[name]]))
}

function isBlank(value: unknown): boolean {
  return value === false || (Array.isArray(value) && !value.length)
}

/** The fields that an operation set itself; the source is the entry's own. */
export function setFields(ctx: Context, record: AnyRecord, set: Body): string[] {
  return Object.entries(record.fields).flatMap(([name, { column = name }]) => {
    const value = set[column]
    return value === undefined || value === null || value === ctx.source ? [] : [name]
  })
}

/** Which of a new record's values a read shows otherwise than they were sent: links as objects, say. */
export function shownOtherwise(record: AnyRecord, values: Body): string[] {
  return Object.keys(values).filter((name) => {
    const { read, reference } = fieldNamed(record, name)
    return values[name] !== null && Boolean(read ?? reference?.shows)
  })
}
