import { equal, isObject } from '../ground/object.ts'
import type { Context, Query } from '../ground/context.ts'
import type { FieldError } from '../ground/errors.ts'
import { badFields } from '../ground/errors.ts'
import type { AnyRecord, Field, LinkField } from '../record/record.ts'
import { fieldNamed, isLink, namesOf, wordKeys } from '../record/record.ts'
import { isId } from '../ground/ids.ts'
import {
  columnOf,
  isMergeable,
  joined,
  keyOf,
  lookUp,
  lookUpMany,
  lookUpMerged,
  namedAlike,
} from '../read/look-up.ts'
import { mine, sql } from '../ground/sql.ts'

/** Whether a body names, by an id or as a read shows it, the record that is linked to already. */
export function isUnchangedLink(field: Field, before: unknown, value: unknown): boolean {
  if (!isLink(field) || before === null || before === undefined) return false
  if (equal(before, value)) return true
  const named = idIn(field, value)
  if (named === undefined) return false
  // the first member that a read shows is the id
  return named === (isObject(before) ? Object.values(before)[0] : before)
}

/**
 * Of the links in a body those that name, by id, what the record of `before` still links to, though a
 * read shows it no more since it was deleted: they change nothing. One query, and none where no link is
 * set that read as empty.
 */
export async function heldLinks(
  ctx: Context,
  record: AnyRecord,
  before: { [field: string]: unknown },
  links: { [field: string]: unknown },
): Promise<string[]> {
  const held = Object.entries(links).flatMap(([name, value]) => {
    const field = linkNamed(record, name)
    const target = field.reference.to?.()
    const named = idIn(field, value)
    if (before[name] !== null || !target?.life.softDelete || named === undefined) return []
    const link = sql.ref(`t.${field.column ?? name}`)
    return sql`select ${name}::text as name from ${sql.table(record.table)} t
      where ${mine(ctx)} and t.id = ${before[record.key]} and ${link} = ${named}
        and exists (select from ${sql.table(target.table)} g
          where g.organization_id = $organization and g.id = ${link}
            and g.deleted_at is not null)`
  })
  if (!held.length) return []
  const found = await ctx.all<{ name: string }>(sql.join(held, sql` union all `))
  return found.map(({ name }) => name)
}

export type Resolved = {
  ids: { [field: string]: string | null }
  /**
   * What a read shows of the records that were looked up, by field; fails with 400 when a plain id
   * names no record that the caller can see.
   */
  visible: Promise<VisibleLinks>
}

type VisibleLinks = { [field: string]: unknown }

/**
 * Turns the references in a body (an id, or an object that names one) into ids, in one
 * query for all of them. What does not exist, is deleted or cannot be visible is 400 naming the field.
 * Plain ids are not looked up first, and `visible` is awaited beside the write: one round trip less.
 */
export async function resolveReferences(
  ctx: Context,
  record: AnyRecord,
  input: { [field: string]: unknown },
): Promise<Resolved> {
  const lookUps: LookUp[] = []
  const errors: FieldError[] = []
  const ids: { [field: string]: string | null } = {}
  for (const [name, value] of Object.entries(input)) {
    const field = linkNamed(record, name)
    if (value === null || (field.nullable && namesNobody(field, value))) {
      ids[name] = null
      continue
    }
    const condition = conditionOf(field, value)
    const keys = namings(field, value).map(([key]) => keyOf(field, key))
    if (condition) lookUps.push([name, lookUp(ctx, field, condition, keys), condition])
    else errors.push({ field: name, message: `must be an id or name one: ${keysOf(field)}` })
  }
  refuse(errors)
  if (!lookUps.length) return { ids, visible: Promise.resolve({}) }
  const isPlain = lookUps.every(
    ([name]) => typeof input[name] === 'string' && idIn(linkNamed(record, name), input[name]),
  )
  const finding = find(ctx, record, input, lookUps, isPlain)
  const visible = finding.then((found) => shownOf(record, found))
  // awaited by the write; the catch keeps Node from reporting it as unhandled until then
  visible.catch(() => {})
  if (isPlain) for (const [name] of lookUps) ids[name] = input[name] as string
  else for (const [name, values] of Object.entries(await finding)) ids[name] = values[0] ?? null
  return { ids, visible }
}

/** A link, the query that finds its record, and the condition in it. */
type LookUp = [name: string, query: Query, condition: Query]

/** Of each record looked up its id and, behind it, what a read shows of it; null where there is none. */
type Found = { [name: string]: (string | null)[] }

async function find(
  ctx: Context,
  record: AnyRecord,
  input: { [field: string]: unknown },
  lookUps: LookUp[],
  isPlain: boolean,
): Promise<Found> {
  const columns = lookUps.map(([name, query]) => sql`(${query}) as ${sql.ref(name)}`)
  const row = await ctx.one<{ [name: string]: Found[string] | null }>(
    sql`select ${sql.join(columns)}`,
  )
  const found: Found = {}
  for (const [name, values] of Object.entries(row ?? {})) if (values) found[name] = values
  // what names a merged record means the one that is left; its id alone does not
  for (const [name, , condition] of isPlain ? [] : lookUps) {
    const field = linkNamed(record, name)
    const target = field.reference.to?.()
    if (found[name] || !target || !isMergeable(target)) continue
    const left = await ctx.one<{ values: (string | null)[] }>(
      sql`select (${lookUpMerged(ctx, field, condition)}) as values`,
    )
    if (left?.values) found[name] = left.values
  }
  for (const [name] of isPlain ? [] : lookUps.filter(([each]) => !found[each])) {
    const values = await findAlike(ctx, linkNamed(record, name), input[name])
    if (values) found[name] = values
  }
  const missing = lookUps.filter(([name]) => !found[name])
  refuse(missing.map(([field]) => ({ field, message: absent(linkNamed(record, field)) })))
  return found
}

/** What a value of a body names that nothing has as a name as it is written. */
async function findAlike(ctx: Context, field: LinkField, value: unknown) {
  for (const [key, named] of namings(field, value)) {
    const by = keyOf(field, key)
    const [id] = (await namedAlike(ctx, field, by, [named])).get(named) ?? []
    if (id === undefined) continue
    const row = await ctx.one<{ values: Found[string] | null }>(
      sql`select (${lookUp(ctx, field, sql`t.id = ${id}`, [by])}) as values`,
    )
    if (row?.values) return row.values
  }
  return undefined
}

function shownOf(record: AnyRecord, found: Found): VisibleLinks {
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, values]) => {
      const keys = Object.keys(joined(linkNamed(record, name)))
      const shown = keys.map((key, i) => [key, values[i + 1] ?? null])
      return keys.length ? [[name, Object.fromEntries(shown)]] : []
    }),
  )
}

/**
 * The same for many bodies: one query for each way in which they name records. The returned function
 * resolves any of these bodies.
 */
export async function resolverOf(
  ctx: Context,
  record: AnyRecord,
  bodies: { [field: string]: unknown }[],
): Promise<typeof resolveReferences> {
  const known = new Map<string, Map<string, string>>()
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isLink(field)) continue
    const lookUps = new Map<string, Set<string>>()
    for (const body of bodies) {
      for (const [key, value] of namings(field, body[name])) {
        lookUps.set(key, (lookUps.get(key) ?? new Set()).add(value))
      }
    }
    for (const [key, values] of lookUps) {
      known.set(`${name}.${key}`, await lookUpMany(ctx, field, key, [...values]))
    }
  }
  return async (_ctx, _record, input) => {
    const ids: Resolved['ids'] = {}
    const errors: FieldError[] = []
    for (const [name, value] of Object.entries(input)) {
      const field = linkNamed(record, name)
      const named = namings(field, value)
      const found = named.map(([key, word]) => known.get(`${name}.${key}`)?.get(word))
      const id = found.find((one) => one !== undefined) ?? null
      ids[name] = id
      if (value === null || id) continue
      const message = named.length ? absent(field) : `must be an id or name one: ${keysOf(field)}`
      errors.push({ field: name, message })
    }
    refuse(errors)
    return { ids, visible: Promise.resolve({}) }
  }
}

/** What is said of a value that names nothing, with what would. */
function absent({ reference }: LinkField): string {
  return wordKeys(reference).length ? `no such record by ${namesOf(reference)}` : 'no such record'
}

function linkNamed(record: AnyRecord, name: string): LinkField {
  const field = fieldNamed(record, name)
  if (!isLink(field)) throw new Error(`${name} of a ${record.word} is no link`)
  return field
}

function refuse(errors: FieldError[]) {
  if (!errors.length) return
  throw badFields(errors)
}

function conditionOf(field: LinkField, value: unknown): Query | undefined {
  const conditions = namings(field, value).map(([key, named]) => {
    const by = keyOf(field, key)
    return sql`${columnOf(by)} = ${by.fold ? by.fold(named) : named}`
  })
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : undefined
}

/**
 * By which keys a value of a body may name the other record, and how: an object by the first key that it
 * has, a text that is no id by each of those that are words (an e-mail, a name, a domain).
 */
function namings({ reference }: LinkField, value: unknown): [key: string, named: string][] {
  if (typeof value === 'string') {
    const keys = isId(value) ? [] : wordKeys(reference)
    return keys.length ? keys.map((key) => [key, value]) : [['id', value]]
  }
  if (typeof value !== 'object' || value === null) return []
  for (const key of Object.keys(reference.by)) {
    const named = (value as { [key: string]: unknown })[key]
    if (typeof named === 'string' && named.trim()) return [[key, named]]
  }
  return []
}

/** The id by which a value names the other record; undefined where it names it otherwise. */
function idIn(field: LinkField, value: unknown): string | undefined {
  return namings(field, value).find(([key]) => keyOf(field, key).column === 'id')?.[1]
}

/** A form left empty: it has keys by which the other record is named, and nothing in any of them. */
function namesNobody({ reference }: LinkField, value: unknown): boolean {
  if (!isObject(value)) return false
  const named = Object.keys(reference.by).filter((key) => Object.hasOwn(value, key))
  const isBlank = (one: unknown) => one === null || (typeof one === 'string' && !one.trim())
  return named.length > 0 && named.every((key) => isBlank(value[key]))
}

function keysOf({ reference }: LinkField): string {
  return Object.keys(reference.by).join(', ')
}
