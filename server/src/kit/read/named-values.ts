import type { Context } from '../ground/context.ts'
import { badField } from '../ground/errors.ts'
import { isId } from '../ground/ids.ts'
import { nearest } from '../ground/nearest.ts'
import { isObject } from '../ground/object.ts'
import type { Field } from '../record/record.ts'
import { isLink, wordKeys } from '../record/record.ts'
import type { Registry } from './filter-fields.ts'
import { entryOf } from './filter-fields.ts'
import { most } from './filter-values.ts'
import { lookUpMany } from './look-up.ts'

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
  const ids = new Map<Field, Map<string, string[]>>()
  const hints = new Map<Field, string[]>()
  for (const [field, words] of found) {
    const known = await idsOf(ctx, field, [...words])
    ids.set(field, known)
    if (known.size < words.size) hints.set(field, (await field.namesOf?.(ctx)) ?? [])
  }
  return each(nodes, registry, (field, words, condition) => {
    const missing = words.find((word) => !ids.get(field)?.has(word))
    if (missing !== undefined) {
      const shown = JSON.stringify(missing.slice(0, 60))
      const near = nearest(missing, hints.get(field) ?? [])
      const hint = near ? `; did you mean ${near}?` : ''
      throw badField(name, `${String(condition.field)}: nothing is named ${shown}${hint}`)
    }
    return (word) => ids.get(field)?.get(word) ?? [word]
  })
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

/** The ids of the records that a link names by these words: its keys, or what the field itself knows. */
export async function idsOf(ctx: Context, field: Field, words: string[]) {
  if (field.idsOf) return field.idsOf(ctx, words)
  const found = new Map<string, string[]>()
  if (!isLink(field)) return found
  for (const key of ['id', ...wordKeys(field.reference)]) {
    const left = words.filter((word) => !found.has(word))
    if (!left.length) break
    for (const [word, id] of await lookUpMany(ctx, field, key, left)) found.set(word, [id])
  }
  return found
}

/** The ids of those that have a word among their names, in any case. */
export function idsNamed(words: string[], all: { id: string; names: string[] }[]) {
  const fold = (text: string) => text.trim().toLowerCase()
  const ids = words.map((word): [string, string[]] => {
    const its = all.filter(({ names }) => names.some((name) => fold(name) === fold(word)))
    return [word, its.map(({ id }) => id)]
  })
  return new Map(ids.filter(([, its]) => its.length))
}
