import type { Context } from '../../kit/ground/context.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { definitions } from '../../kit/record/custom.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import type { Field } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { plainText } from '../../model/sheets/csv.ts'
import type { Importable } from './importable.ts'
import { fieldOf } from './importable.ts'
import { folded, targetsByHeader } from '../../model/sheets/header.ts'

/** The target of a column's cells. */
export type Target =
  | { kind: 'field'; name: string; field: Field }
  /** a member of an object field */
  | { kind: 'part'; name: string; part: string }
  /** another record, named by `key`, or by any key if there is none */
  | { kind: 'link'; name: string; field: Field; key: string | null }
  | { kind: 'custom'; key: string; definition: Definition | undefined }
  /** an existing record's own id */
  | { kind: 'id' }

export type Mapping = { [column: string]: string | null }

/** The names of columns from the header's cells; blank or repeated ones get a number. */
export function columnNames(header: string[]): string[] {
  const names = new Set<string>()
  const times = new Map<string, number>()
  for (const [at, cell] of header.entries()) {
    const name = plainText(cell.trim()) || `column ${at + 1}`
    let n = times.get(name) ?? 1
    let unique = name
    while (names.has(unique)) unique = `${name} (${++n})`
    times.set(name, n)
    names.add(unique)
  }
  return [...names]
}

/**
 * The target of each column, or null, guessed from the header: names and labels of fields and
 * custom fields, names in exports, and names that other programs use in seven languages. No
 * target is used twice.
 */
export async function guessMapping(
  ctx: Context,
  importable: Importable,
  columns: string[],
): Promise<{ mapping: Mapping; warnings: string[] }> {
  const known = await guesses(ctx, importable)
  const mapping: Mapping = {}
  const warnings: string[] = []
  const used = new Set<string>()
  const found = await Promise.all(
    columns.map(async (column) => {
      const exact = await targetOf(ctx, importable, column)
      return { column, exact, guess: exact ? nameOf(importable, exact) : known.get(folded(column)) }
    }),
  )
  const named = withNameParts(found)
  // a field's own name takes precedence over its other names
  const sorted = [...named].sort((a, b) => Number(Boolean(b.exact)) - Number(Boolean(a.exact)))
  for (const { column, guess } of sorted) {
    mapping[column] = guess && !used.has(guess) ? guess : null
    if (guess && !used.has(guess)) used.add(guess)
    else if (guess)
      warnings.push(`The column ${column} would be ${guess} a second time; it is left out`)
    else if (!isExported(importable, column)) {
      warnings.push(`The column ${column} is not known and is left out; map it to import it`)
    }
  }
  const inOrder = columns.map((column): [string, string | null] => [
    column,
    mapping[column] ?? null,
  ])
  return { mapping: Object.fromEntries(inOrder), warnings }
}

/** How many of these headers name a field. */
export async function headerCounter(
  ctx: Context,
  importable: Importable,
): Promise<(cells: string[]) => number> {
  const known = await guesses(ctx, importable)
  const names = new Set([...known.values(), importable.record.key])
  return (cells) =>
    cells.filter(
      (cell) => names.has(cell) || known.has(folded(cell)) || cell.startsWith('custom_fields.'),
    ).length
}

type Guess = { column: string; exact: Target | undefined; guess: string | undefined }

/**
 * Beside a first name, `Name`, `Nom` or `Naam` is the last one; beside a last name, `Nombre` or `Nome`
 * is the first one.
 */
function withNameParts(found: Guess[]): Guess[] {
  const has = (target: string) => found.some(({ guess }) => guess === target)
  const [first, last] = [has('first_name'), has('last_name')]
  if (first === last) return found
  return found.map((each) => {
    if (each.guess !== 'full_name' || !/^(name|nom|naam|nombre|nome)$/.test(folded(each.column)))
      return each
    return { ...each, guess: first ? 'last_name' : 'first_name' }
  })
}

/** The targets of a mapping by the index of their column; 400 names invalid ones. */
export async function targetsOf(
  ctx: Context,
  importable: Importable,
  columns: string[],
  mapping: Mapping,
): Promise<Map<number, Target>> {
  const targets = new Map<number, Target>()
  const errors: FieldError[] = []
  const used = new Map<string, string>()
  for (const [column, word] of Object.entries(mapping)) {
    const field = `mapping.${column}`
    const at = columns.indexOf(column)
    if (at < 0) {
      const some = columns.slice(0, 50).join(', ')
      errors.push({ field, message: `is not a column; columns are ${some}` })
      continue
    }
    if (word === null || word === '') continue
    const target = await targetOf(ctx, importable, word)
    const name = target && nameOf(importable, target)
    if (!name) errors.push({ field, message: `${word} is not a field that can be imported` })
    else if (used.has(name)) {
      errors.push({ field, message: `${used.get(name)} is mapped to ${word} too` })
    } else {
      used.set(name, column)
      targets.set(at, target)
    }
  }
  if (!errors.length && !targets.size) {
    errors.push({ field: 'mapping', message: 'no column is mapped to a field' })
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return targets
}

async function targetOf(
  ctx: Context,
  importable: Importable,
  word: string,
): Promise<Target | undefined> {
  const { record } = importable
  const [head = '', ...rest] = word.split('.')
  const name = (Object.hasOwn(record.aliases, head) ? record.aliases[head] : undefined) ?? head
  const part = rest.join('.')
  if (!part && (name === record.key || name === 'id')) return { kind: 'id' }
  const known = await definitions(ctx, record.module)
  const custom = (key: string): Target | undefined =>
    key.length <= 100 ? { kind: 'custom', key, definition: known.get(key) } : undefined
  if (name === 'custom_fields' && part) return record.open ? custom(part) : undefined
  const field = fieldOf(importable, name)
  if (!field) {
    const definition = record.open ? known.get(word) : undefined
    return definition && !definition.is_built_in ? custom(word) : undefined
  }
  if (!isWritable(field) || field.expression) return undefined
  if (field.reference) {
    if (part && !Object.hasOwn(field.reference.by, part)) return undefined
    return { kind: 'link', name, field, key: part || null }
  }
  if (!part) return { kind: 'field', name, field }
  return field.kind === 'json' ? { kind: 'part', name, part } : undefined
}

/** The canonical name of a target. */
export function nameOf({ record }: Importable, target: Target): string {
  switch (target.kind) {
    case 'id':
      return record.key
    case 'part':
      return `${target.name}.${target.part}`
    case 'link':
      return target.key === null ? target.name : `${target.name}.${target.key}`
    case 'custom':
      return `custom_fields.${target.key}`
    default:
      return target.name
  }
}

async function guesses(ctx: Context, importable: Importable): Promise<Map<string, string>> {
  const { record, more, headers } = importable
  const known = targetsByHeader(headers)
  const offer = (word: string, target: string) => {
    if (folded(word)) known.set(folded(word), target)
  }
  for (const name of [...Object.keys(record.fields), ...Object.keys(more)]) {
    if (name === 'custom_fields' || !isTarget(importable, name)) continue
    // a column named `Address` contains a street, not a whole address as JSON
    const isObject = fieldOf(importable, name)?.kind === 'json'
    if (!isObject || !known.has(folded(name))) offer(name, name)
  }
  if (!record.open) return known
  for (const definition of (await definitions(ctx, record.module)).values()) {
    const { key, label, is_built_in, is_archived } = definition
    if (is_built_in && !isTarget(importable, key)) continue
    if (is_archived) continue
    const target = is_built_in ? key : `custom_fields.${key}`
    offer(label, target)
    offer(key, target)
  }
  return known
}

function isTarget(importable: Importable, name: string): boolean {
  const field = fieldOf(importable, name)
  return field !== undefined && isWritable(field) && !field.expression
}

/** Whether exports have a column of this name that imports ignore. */
function isExported({ record }: Importable, column: string): boolean {
  const [name = ''] = column.split('.')
  return Object.hasOwn(record.fields, name) || ['import_line', 'import_reason'].includes(column)
}
