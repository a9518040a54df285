import type { Context } from '../../kit/ground/context.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { definitions } from '../../kit/record/custom.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import type { Field } from '../../kit/record/record.ts'
import { isWritable } from '../../kit/record/record.ts'
import { plainText } from '../../model/sheets/csv-text.ts'
import type { Importable } from './importable.ts'
import { fieldOf } from './importable.ts'

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
    else if (used.has(name) && !mayRepeat(importable, target)) {
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

/** The target that a word of a mapping names; undefined for none. */
export async function targetOf(
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

/** Whether several columns may have the target: lists, people, and the fields of which `several` says what they become. */
export function mayRepeat({ several = {} }: Importable, target: Target): boolean {
  if (target.kind === 'field' && target.field.kind === 'list') return true
  // a name in one and an e-mail in the other
  if (target.kind === 'link' && target.field.reference?.table === 'people') return true
  const name = target.kind === 'custom' ? `custom_fields.${target.key}` : undefined
  return Object.hasOwn(several, target.kind === 'field' ? target.name : (name ?? ''))
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
