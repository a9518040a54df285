// printed from connectors/coerce.ts
import type { Field } from './model.ts'
import { customPrefix } from './model.ts'

type Values = { [key: string]: unknown }

/**
 * Converts a value from a platform's form or an expression to one for the API. An empty text is left
 * out (undefined) and null clears; what cannot be converted stays as it is, and the API names the field.
 */
export function coerce(type: Field['type'], value: unknown): unknown {
  if (value === undefined || value === '') return undefined
  if (value === null) return null
  switch (type) {
    case 'number':
      return typeof value === 'string' ? numberOf(value) : value
    case 'boolean':
      return typeof value === 'string' || typeof value === 'number' ? booleanOf(value) : value
    case 'date':
      return dateOf(value)
    case 'datetime':
      return isoOf(value)
    case 'list':
    case 'multi_select':
      return listOf(value)
    case 'address':
    case 'json':
      return typeof value === 'string' ? parsed(value) : value
    default:
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  }
}

/** The body of a create or an update: known fields converted, custom fields as members of `custom_fields`. */
export function bodyOf(fields: Field[], values: Values): Values {
  const body: Values = {}
  const custom: Values = {}
  for (const { key, type } of fields) {
    const value = coerce(type, values[key])
    if (value === undefined) continue
    if (key.startsWith(customPrefix)) custom[key.slice(customPrefix.length)] = value
    else body[key] = value
  }
  if (Object.keys(custom).length) body.custom_fields = custom
  return body
}

function numberOf(text: string): unknown {
  const number = Number(text.trim())
  return text.trim() && Number.isFinite(number) ? number : text
}

function booleanOf(value: string | number): unknown {
  const text = String(value).trim().toLowerCase()
  if (['true', 'yes', '1'].includes(text)) return true
  return ['false', 'no', '0'].includes(text) ? false : value
}

/** The day in the value, in the value's own time zone. */
function dateOf(value: unknown): unknown {
  const text = isoOf(value)
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(text) ? text.slice(0, 10) : text
}

/** Dates of JavaScript and of Luxon, which n8n's expressions return, as ISO 8601. */
function isoOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value
  return typeof value.toISO === 'function' ? (value.toISO() as unknown) : value
}

/** The texts of an array or a comma-separated list; empty entries are dropped, and numbers become text. */
function listOf(value: unknown): unknown {
  const list = typeof value === 'string' && value.trim().startsWith('[') ? parsed(value) : value
  const entries = typeof list === 'string' ? list.split(',') : [list].flat()
  return entries
    .map((each) => (typeof each === 'string' ? each.trim() : each))
    .filter((each) => each !== '' && each !== null && each !== undefined)
    .map((each) => (typeof each === 'number' ? String(each) : each))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
