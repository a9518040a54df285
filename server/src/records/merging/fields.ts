import type { Limits } from '../../kit/ground/limits.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { distinctTags } from '../../kit/record/tag-list.ts'
import { equal } from '../../kit/ground/object.ts'
import { ownValue } from '../../kit/write/changes.ts'
import { customOf } from '../../kit/write/plan.ts'

/** Which record's value a field gets if several have one. */
export const strategies = ['primary_wins', 'fill_empty', 'newest_wins'] as const
export type Strategy = (typeof strategies)[number]

/** A stored row, by column. */
export type Stored = { [column: string]: unknown }
/** What a merge did to the columns of the record that stays. */
export type Changed = { [column: string]: { from: unknown; to: unknown } }

/**
 * The columns of the remaining record that the merge changes. `primary_wins` takes nothing
 * from the others, `fill_empty` what the primary lacks in the order of the body, `newest_wins` for each
 * field the most recently updated non-empty value. Tags are always combined, and fields with a choice of their
 * own (`merged`) make it.
 */
export function mergeFields(
  record: AnyRecord,
  primary: Stored,
  merged: Stored[],
  strategy: Strategy,
  { customFieldsBytes, customFieldsKeys }: Limits,
): Changed {
  const all = [primary, ...merged]
  const group = all.map(({ id }) => id)
  // the first of these with a value decides
  const ranked = {
    primary_wins: [primary],
    fill_empty: all,
    newest_wins: all.toSorted(byNewest),
  }[strategy]
  const changed: Changed = {}
  for (const [column, field] of mergeable(record)) {
    // a link within the group would lead to the record itself
    const values = ranked.map((row) => row[column])
    const outside = field.reference ? values.filter((value) => !group.includes(value)) : values
    note(changed, column, primary[column], outside.find((value) => !isEmpty(value)) ?? null)
  }
  if ('tags' in record.fields) note(changed, 'tags', primary.tags, unitedTags(all))
  for (const [name, { column = name, merged: chosen }] of Object.entries(record.fields)) {
    const value = chosen?.(all.map((row) => row[column]))
    if (value !== undefined) note(changed, column, primary[column], value)
  }
  note(
    changed,
    'custom_fields',
    primary.custom_fields,
    customFields(primary, ranked, customFieldsKeys || Infinity, customFieldsBytes || Infinity),
  )
  return changed
}

/** The columns that an undo restores: only those that have not changed since the merge. */
export function unmergeFields(now: Stored, changed: Changed) {
  const back: Stored = {}
  const kept: string[] = []
  for (const [column, { from, to }] of Object.entries(changed)) {
    if (equal(now[column], to)) back[column] = from
    else if (column === 'custom_fields') back[column] = customBack(now, { from, to }, kept)
    else if (column === 'tags') back[column] = tagsBack(now.tags, { from, to })
    // depends on the others, and is computed afterwards
    else if (column !== 'unique_key') kept.push(column)
  }
  return { back, kept }
}

/** The columns that bodies may set, with their fields; tags and custom fields are handled separately. */
function mergeable(record: AnyRecord): [column: string, field: Field][] {
  return Object.entries(record.fields)
    .filter(([name, field]) => isWritable(field) && !field.expression && !special.includes(name))
    .map(([name, field]) => [field.column ?? name, field])
}

const special = ['custom_fields', 'tags']
/** As many as a body may contain, so that the next change of the record is not refused. */
const mostTags = 500

function note(changed: Changed, column: string, from: unknown, to: unknown) {
  if (equal(from ?? null, to ?? null)) delete changed[column]
  else changed[column] = { from: from ?? null, to: to ?? null }
}

/** The newest first; the primary before others of the same moment, since the sort is stable. */
function byNewest(a: Stored, b: Stored): number {
  return Date.parse(String(b.last_update_time)) - Date.parse(String(a.last_update_time))
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && !Object.keys(value).length
}

/**
 * The combined custom fields, each key from the first row with a value, as many as one record may have. The
 * primary always keeps all of its own, and its value if another one is too large.
 */
function customFields(
  primary: Stored,
  ranked: Stored[],
  keys: number,
  bytes: number,
): { [key: string]: unknown } {
  const chosen = new Map<string, unknown>()
  for (const [key, value] of ranked.flatMap((row) => Object.entries(customOf(row)))) {
    if (isEmpty(chosen.get(key))) chosen.set(key, value)
  }
  const united = { ...customOf(primary) }
  let count = Object.keys(united).length
  let size = bytesOf(united)
  for (const [key, value] of chosen) {
    const isNew = !Object.hasOwn(united, key)
    if (isNew && count >= keys) continue
    const more = bytesOf({ [key]: value }) - (isNew ? 0 : bytesOf({ [key]: united[key] }))
    if (more > 0 && size + more > bytes) continue
    define(united, key, value)
    size += more
    if (isNew) count++
  }
  return united
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function customBack(now: Stored, { from, to }: Changed[string], kept: string[]) {
  const back: { [key: string]: unknown } = { ...(now.custom_fields as object) }
  const [before, after] = [from, to] as { [key: string]: unknown }[]
  for (const key of Object.keys({ ...before, ...after })) {
    const [old, merged] = [ownValue(before, key), ownValue(after, key)]
    if (equal(old, merged)) continue
    if (!equal(ownValue(back, key), merged)) kept.push(`custom_fields.${key}`)
    else if (old === null) delete back[key]
    else define(back, key, old)
  }
  return back
}

/** Callers choose the keys, so `__proto__` must be an ordinary key. */
function define(target: { [key: string]: unknown }, key: string, value: unknown) {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function unitedTags(rows: Stored[]): unknown[] | null {
  const united = distinctTags(rows.flatMap((row) => (row.tags as unknown[] | null) ?? []))
  const own = (rows[0]?.tags ?? null) as unknown[] | null
  return united.length ? united.slice(0, mostTags) : own
}

/** The custom fields without those that the merge added. */
function tagsBack(now: unknown, { from, to }: Changed[string]): unknown[] {
  const [before, after] = [(from ?? []) as unknown[], to as unknown[]]
  return ((now ?? []) as unknown[]).filter((tag) => before.includes(tag) || !after.includes(tag))
}
