import type { Definition } from '../../kit/record/custom.ts'
import type { Failure, FieldError } from '../../kit/ground/errors.ts'
import { badRequest } from '../../kit/ground/errors.ts'
import type { Field } from '../../kit/record/record.ts'
import { checkBody, checkStorable, trimmed } from '../../kit/record/validate.ts'
import type { Line } from './csv.ts'
import { plainText } from './csv.ts'
import type { Importable } from './importable.ts'
import type { Options } from './import.ts'
import type { Target } from './mapping.ts'

type Body = { [key: string]: unknown }

/** How a cell names another record: by which key, or by any. */
export type Named = { key: string | null; text: string }

/** A row in the record's own terms, checked but for what only the database knows. */
export type Read = Line & {
  body: Body
  /** the records it names, by field, in the order in which they are tried */
  links: { [field: string]: Named[] }
  /** the record that it says it is */
  id: string | null
}

/** One row by the mapping; throws a 400 that names every wrong field. */
export function readRow(
  importable: Importable,
  targets: Map<number, Target>,
  options: Pick<Options, 'empty_cells'>,
  { line, cells }: Line,
  width: number,
): Read {
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim())) {
    const message = `has ${cells.length} cells and the header ${width}: is there a quote missing?`
    throw badRequest(`row: ${message}`, [{ field: 'row', message }])
  }
  const body: Body = {}
  const links: Read['links'] = {}
  let id: string | null = null
  for (const [at, target] of targets) {
    const text = plainText((cells[at] ?? '').trim())
    if (text === '') {
      if (options.empty_cells === 'clear') clear(body, target)
    } else if (target.kind === 'id') id = text
    else if (target.kind === 'link') {
      const named = { key: target.key, text }
      ;(links[target.name] ??= []).push(named)
    } else put(body, target, text)
  }
  for (const [name, named] of Object.entries(links)) {
    if (body[name] === null) delete body[name]
    named.sort((a, b) => rank(importable, name, a) - rank(importable, name, b))
  }
  const prepared = prepare(importable, body)
  return { line, cells, body: prepared, links, id }
}

/** The errors of a failure, or its message where it names no field. */
export function errorsOf(failure: Failure): FieldError[] {
  return failure.errors ?? [{ field: 'row', message: failure.message }]
}

function prepare({ schema, prepare: inOwnTerms }: Importable, raw: Body): Body {
  checkStorable(raw)
  const body = inOwnTerms(trimmed(schema, raw) as Body)
  checkBody(schema, body)
  return body
}

function put(body: Body, target: Exclude<Target, { kind: 'id' | 'link' }>, text: string) {
  switch (target.kind) {
    case 'field':
      body[target.name] = merged(body[target.name], valueOf(target.field, text))
      return
    case 'part':
      body[target.name] = { ...(body[target.name] as Body | undefined), [target.part]: text }
      return
    case 'more':
      body[target.name] = text
      return
    case 'custom':
      body.custom_fields = {
        ...(body.custom_fields as Body | undefined),
        [target.key]: customValue(target.definition, text),
      }
  }
}

/** A column for a whole object may stand beside columns for its members. */
function merged(before: unknown, value: unknown): unknown {
  const isObject = (each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
  return isObject(before) && isObject(value) ? { ...(before as Body), ...(value as Body) } : value
}

function clear(body: Body, target: Target) {
  if (target.kind === 'link' || target.kind === 'field') {
    if (!target.field.nullable) return
    body[target.name] ??= null
  } else if (target.kind === 'part' || target.kind === 'custom') {
    const [name, key] =
      target.kind === 'part' ? [target.name, target.part] : ['custom_fields', target.key]
    body[name] = { ...(body[name] as Body | undefined), [key]: null }
  }
}

/** Ids are surest, names least; as the record lists the keys by which it may be named. */
function rank({ record }: Importable, name: string, { key }: Named): number {
  const keys = Object.keys(record.fields[name]?.reference?.by ?? {})
  return key === null ? keys.length : keys.indexOf(key)
}

/** A text as a value of the field's kind; what cannot be one stays text and fails the check. */
function valueOf({ kind }: Field, text: string): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return numberOf(text)
    case 'boolean':
      return booleanOf(text)
    case 'list':
      return listOf(text)
    case 'json':
      return jsonOf(text)
    case 'timestamp':
      // a day alone begins at midnight of the organization's zone
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text
    default:
      return text
  }
}

function customValue(definition: Definition | undefined, text: string): unknown {
  const option = (word: string) =>
    definition?.options.find(({ value, label }) =>
      [value, label].some((each) => each.toLowerCase() === word.toLowerCase()),
    )?.value ?? word
  switch (definition?.type) {
    case 'number':
    case 'currency':
    case 'percent':
    case 'rating':
      return numberOf(text)
    case 'boolean':
      return booleanOf(text)
    case 'select':
      return option(text)
    case 'multi_select':
      return listOf(text).map((each) => (typeof each === 'string' ? option(each) : each))
    case 'json':
      return jsonOf(text)
    default:
      return text
  }
}

/** Also with signs of currencies and per cent, and commas between thousands. */
function numberOf(text: string): unknown {
  const bare = text.replace(/^([+-]?)\s*[$€£¥]\s*/, '$1').replace(/\s*[%€]$/, '')
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : text
}

function booleanOf(text: string): unknown {
  if (/^(true|yes|y|1|on)$/i.test(text)) return true
  return /^(false|no|n|0|off)$/i.test(text) ? false : text
}

function listOf(text: string): unknown[] {
  const json = text.startsWith('[') ? jsonOf(text) : undefined
  if (Array.isArray(json)) return json
  return text
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
