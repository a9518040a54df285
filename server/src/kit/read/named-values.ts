import type { Context, Query } from '../ground/context.ts'
import { badField } from '../ground/errors.ts'
import { foldedWords } from '../ground/fold.ts'
import { isId } from '../ground/ids.ts'
import { nearest } from '../ground/nearest.ts'
import { isObject } from '../ground/object.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { isAnyInScope, isNameOf, readable } from '../record/readable.ts'
import type { Field, LinkField } from '../record/record.ts'
import { isLink, linkedTable, namesOf, wordKeys } from '../record/record.ts'
import { rights } from '../record/scope.ts'
import type { Registry } from './filter-fields.ts'
import { entryOf } from './filter-fields.ts'
import { most } from './filter-values.ts'
import { columnOf, keyOf, targetOf } from './look-up.ts'
import { idsAlike } from './names-alike.ts'

/**
 * A filter in which references are ids: conditions name records as bodies do, by id, key, name or e-mail.
 * 400 for a word that names nothing. Ids pass as they are, without a query: the record may be gone.
 */
export async function withIds(
  ctx: Context,
  registry: Registry,
  filter: unknown,
  name: string,
): Promise<unknown> {
  const nodes = parsed(filter)
  const found = new Map<Field, Set<string>>()
  each(nodes, registry, (field, words) => {
    const known = found.get(field) ?? new Set()
    for (const word of words) known.add(word)
    found.set(field, known)
  })
  if (!found.size) return filter
  const resolved = new Map<Field, Ids>()
  for (const [field, words] of found) resolved.set(field, await resolve(ctx, field, [...words]))
  return each(nodes, registry, (field, words, condition) => {
    const { ids, refusal } = resolved.get(field) ?? unresolved
    const missing = words.find((word) => !ids.has(word))
    if (missing !== undefined && refusal) {
      throw badField(name, `${String(condition.field)}: ${refusal(missing)}`)
    }
    return (word) => ids.get(word) ?? [word]
  })
}

/**
 * The ids that a parameter of a list names for a link, as a condition would: by id, key, name or e-mail,
 * and the caller as `me`. 400 naming the parameter for a word that names nothing.
 */
export async function idsIn(
  ctx: Context,
  field: Field,
  word: string,
  parameter: string,
): Promise<string[]> {
  if (!isWord(word)) return [word]
  const { ids, refusal } = await resolve(ctx, field, [word])
  const found = ids.get(word)
  if (!found && refusal) throw badField(parameter, refusal(word))
  return found ?? [word]
}

/** The ids behind words; `refusal` says that a word names nothing, where the caller may learn that. */
type Ids = { ids: Map<string, string[]>; refusal?: (word: string) => string }

const unresolved: Ids = { ids: new Map() }

async function resolve(ctx: Context, field: Field, words: string[]): Promise<Ids> {
  if (!field.idsOf && isLink(field) && !mayLookUp(ctx, field)) {
    return { ids: await idsBy(ctx, field, words, shownKeys(field)) }
  }
  const ids = field.idsOf
    ? await field.idsOf(ctx, words)
    : isLink(field)
      ? await idsBy(ctx, field, words, ['id', ...wordKeys(field.reference)])
      : new Map<string, string[]>()
  const isAll = words.every((word) => ids.has(word))
  const hints = isAll ? [] : ((await field.namesOf?.(ctx)) ?? [])
  const refusal = (word: string) => {
    const near = nearest(word, hints)
    const ways = isLink(field) && !field.idsOf ? `: it takes ${namesOf(field.reference)}` : ''
    const hint = near ? `; did you mean ${near}?` : ways
    return `nothing is named ${JSON.stringify(word.slice(0, 60))}${hint}`
  }
  return { ids, refusal }
}

/**
 * Whether the caller may learn that a word names nothing. Whoever may not look up all people, and an app
 * outside whose scopes a link leads, finds what reads show, and anything else is like a word that names nothing.
 */
export function mayLookUp(ctx: Context, field: Field): boolean {
  if (!isLink(field)) return true
  const { reference } = field
  const target = targetOf(reference)
  if (!target) return true
  return reference.to ? isAnyInScope(ctx, target.table) : !readable(ctx, target.table)
}

/** The keys by which reads show the record of a link to everybody: an app outside its scopes sees the name. */
function shownKeys({ reference }: LinkField): string[] {
  const { to, shows } = reference
  const target = to?.()
  return wordKeys(reference).filter((key) =>
    target ? isNameOf(target, key, shows) : shows && Object.hasOwn(shows, key),
  )
}

/** The ids of all records that the words name by any of these keys. */
async function idsBy(ctx: Context, field: LinkField, words: string[], keys: string[]) {
  const ids = new Map<string, string[]>()
  const { to, isCaller } = field.reference
  const left = words.filter((word) => !(isCaller && word === 'me'))
  const { user_id } = ctx.actor
  if (user_id !== null && left.length < words.length) ids.set('me', [user_id])
  if (!left.length || !keys.length) return ids
  const target = to?.()
  const alive = !target || target.life.softDelete ? sql`t.deleted_at is null` : undefined
  // names of people are shown wherever a record refers to them
  const visible = target && rights(ctx, target, 'read')
  const each = keys.map((key) => {
    const by = keyOf(field, key)
    const folded = left.map((word) => by.fold?.(word) ?? word)
    const at = columnOf(by)
    return sql`select n.word, t.id from ${sql.table(linkedTable(field.reference))} t
      join unnest(${left}::text[], ${folded}::text[]) as n (word, folded) on ${at} = n.folded
      where ${all(mine(ctx), alive, visible)}`
  })
  const rows = await ctx.all<{ word: string; id: string }>(
    sql`${sql.join(each, sql` union `)} order by word, id`,
  )
  for (const { word, id } of rows) ids.set(word, [...(ids.get(word) ?? []), id])
  for (const { name } of keys.map((key) => keyOf(field, key))) {
    const rest = left.filter((word) => !ids.has(word))
    if (!name || !rest.length) continue
    const from = (condition: Query) => sql`from ${sql.table(linkedTable(field.reference))} t
      where ${all(mine(ctx), alive, visible, condition)}`
    for (const [word, its] of await idsAlike(ctx, field, name, rest, from)) ids.set(word, its)
  }
  return ids
}

function parsed(filter: unknown): unknown {
  if (typeof filter !== 'string') return filter
  try {
    return JSON.parse(filter || '[]')
  } catch {
    // refused where it is compiled
    return undefined
  }
}

type Condition = { [key: string]: unknown }
type Replace = (word: string) => string[]
type Visit = (field: Field, words: string[], condition: Condition) => Replace | void

/** Visits the conditions that name records by words; a copy with what the visit puts in their place. */
function each(node: unknown, registry: Registry, visit: Visit, depth = 0): unknown {
  // what is deeper or longer is refused where it is compiled
  if (depth > 2 * most.depth) return node
  if (Array.isArray(node)) {
    if (node.length > most.entries) return node
    return node.map((one: unknown) => each(one, registry, visit, depth + 1))
  }
  if (!isObject(node)) return node
  for (const joint of ['and', 'or', 'not']) {
    if (joint in node) return { ...node, [joint]: each(node[joint], registry, visit, depth + 1) }
  }
  const { field: name, operator, value } = node
  const link = typeof name === 'string' ? entryOf(registry, name)?.link : undefined
  const isMany = operator === 'in' || operator === 'not_in'
  if (!link || !(isMany || operator === 'eq' || operator === 'neq')) return node
  const values: unknown[] = isMany && Array.isArray(value) ? value : [value]
  const words = values.filter((one) => typeof one === 'string').filter(isWord)
  if (!words.length || values.length > most.entries) return node
  const replace = visit(link, words, node)
  if (!replace) return node
  const ids = values.flatMap((one) =>
    typeof one === 'string' && isWord(one) ? replace(one) : [one],
  )
  if (!isMany && ids.length === 1) return { ...node, value: ids[0] }
  const negative = operator === 'neq' || operator === 'not_in'
  return { ...node, operator: negative ? 'not_in' : 'in', value: ids }
}

/** Whether a text may name a record otherwise than by its id. */
function isWord(text: string): boolean {
  return !isId(text) && text.length <= most.characters && !text.includes('\0')
}

/** The ids of those that have a word among their names, in any case; else of those with a name that is alike. */
export function idsNamed(words: string[], all: { id: string; names: string[] }[]) {
  const named = (word: string, fold: (text: string) => string) =>
    all.filter(({ names }) => names.some((name) => fold(name) === fold(word)))
  const ids = words.map((word): [string, string[]] => {
    const same = named(word, (text) => text.trim().toLowerCase())
    const its = same.length ? same : named(word, (text) => foldedWords(text).sort().join(' '))
    return [word, its.map(({ id }) => id)]
  })
  return new Map(ids.filter(([, its]) => its.length))
}
