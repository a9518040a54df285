import { nearest } from '../kit/ground/nearest.ts'
import type { DescribedOperation, Field } from './api-operations.ts'
import { UsageError } from './command.ts'

type Body = { [field: string]: unknown }

/** A request for an operation: the path and query filled in, and the JSON of the body. */
export type ApiRequest = { path: string; query: URLSearchParams; json: Body | undefined }

/** The request from options such as `--limit 3`; UsageError for options that the operation does not have. */
export function requestOf(operation: DescribedOperation, options: string[]): ApiRequest {
  const { id, fields, hasBody } = operation
  let { path } = operation
  const query = new URLSearchParams()
  const body: Body = {}
  const seen = new Set<string>()
  for (const [name, value] of pairsOf(options)) {
    const [root = '', ...members] = name.split('.')
    const field = fieldNamed(operation, root)
    seen.add(field.name)
    if (field.in === 'path')
      path = path.replace(`{${field.name}}`, encodeURIComponent(textOf(field, value)))
    else if (field.in === 'query') query.append(field.name, textOf(field, value))
    else if (members.length) setMember(body, [field.name, ...members], looselyOf(value ?? 'true'))
    else setField(body, field, value)
  }
  const missing = fields.find(({ isRequired, name }) => isRequired && !seen.has(name))
  if (missing) throw new UsageError(`api ${id} needs --${missing.name} ${wordOf(missing)}`)
  return { path, query, json: hasBody ? body : undefined }
}

/** Names and values; a name without a value is a flag. */
function pairsOf(options: string[]): [name: string, value: string | undefined][] {
  const pairs: [string, string | undefined][] = []
  for (let i = 0; i < options.length; i++) {
    const option = options[i] ?? ''
    const [, name, , value] = /^--([\w.-]+)(=([\s\S]*))?$/.exec(option) ?? []
    if (name === undefined) throw new UsageError(`"${option}" is no field: write --field VALUE`)
    const next = options[i + 1]
    const isSwitch = next === undefined || /^--[a-z]/i.test(next)
    if (value !== undefined || isSwitch) pairs.push([name, value])
    else {
      pairs.push([name, next])
      i++
    }
  }
  return pairs
}

/** The field of an option, which may be written with dashes; the body's if the query has it too. */
function fieldNamed({ id, fields, method }: DescribedOperation, name: string): Field {
  const wanted = name.replaceAll('-', '_')
  const found = fields.filter((field) => field.name === name || field.name === wanted)
  const field = method === 'GET' ? found[0] : (found.find((each) => each.in === 'body') ?? found[0])
  if (field) return field
  const near = nearest(
    wanted,
    fields.map((each) => each.name),
  )
  throw new UsageError(
    `${id} has no field "${name}": ${near ? `did you mean --${near}?` : `perennial api ${id} --help lists them`}`,
  )
}

function textOf(field: Field, value: string | undefined): string {
  if (value !== undefined) return value
  if (field.types.includes('boolean')) return 'true'
  throw new UsageError(`--${field.name} needs a value, ${wordOf(field)}`)
}

function setField(body: Body, field: Field, value: string | undefined) {
  const { name, types } = field
  const known = body[name]
  const next = valueOf(field, textOf(field, value))
  // a list may be passed entry by entry
  body[name] = types.includes('array') && Array.isArray(known) ? known.concat(next) : next
}

/** The value of a text for a field of the body, by the field's types. */
function valueOf(field: Field, text: string): unknown {
  const { name, types, itemTypes } = field
  if (text === 'null' && types.includes('null')) return null
  if (types.includes('array') && !types.includes('string')) {
    if (text.startsWith('[')) return jsonOf(name, text)
    const isText = itemTypes.includes('string') || !itemTypes.length
    return text.split(',').map((each) => (isText ? each.trim() : looselyOf(each.trim())))
  }
  if (/^[[{]/.test(text) && (types.includes('object') || !types.length)) return jsonOf(name, text)
  if (types.includes('string') || !types.length) return text
  if (types.includes('object')) return jsonOf(name, text)
  const value = looselyOf(text)
  const kind = typeof value
  const isRight =
    (kind === 'boolean' && types.includes('boolean')) ||
    (kind === 'number' && (types.includes('number') || Number.isInteger(value)))
  if (isRight) return value
  throw new UsageError(`--${name} must be ${wordOf(field)}`)
}

/** Parses numbers, booleans, null and JSON; everything else is text. */
function looselyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${name} must be JSON, such as {"key": "value"} in quotes`)
  }
}

function setMember(body: Body, names: string[], value: unknown) {
  const [first = '', ...more] = names
  if (!more.length) {
    Object.defineProperty(body, first, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    return
  }
  const inner = Object.hasOwn(body, first) ? body[first] : undefined
  const member: Body = typeof inner === 'object' && inner !== null ? (inner as Body) : {}
  Object.defineProperty(body, first, {
    value: member,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  setMember(member, more, value)
}

/** A field's type as a word. */
function wordOf({ types, choices }: Field): string {
  if (choices.length) return `one of ${choices.slice(0, 20).join(', ')}`
  return types.filter((type) => type !== 'null').join(' or ') || 'a value'
}
