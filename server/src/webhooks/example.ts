import { isObject } from '../kit/ground/object.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** A made-up value that satisfies a schema; `name` makes it look like what it is called. */
export function exampleOf(schema: JSONSchema, name = ''): unknown {
  const types = [schema.type ?? 'object'].flat() as string[]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  const [either] = (schema.anyOf as JSONSchema[] | undefined) ?? []
  if (either) return exampleOf(either, name)
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return text(schema, name)
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' && schema.minimum > 1 ? schema.minimum : 1
    case 'boolean':
      return false
    case 'array':
      return []
    default: {
      const properties = Object.entries((schema.properties ?? {}) as { [key: string]: JSONSchema })
      return Object.fromEntries(properties.map(([key, inner]) => [key, exampleOf(inner, key)]))
    }
  }
}

type Data = { [field: string]: unknown }

/** The same object with values at these paths; members of what is null there become an object. */
export function withValues(data: Data, values: { [path: string]: unknown }): Data {
  const copy = structuredClone(data)
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.')
    let inner = copy
    for (const name of names.slice(0, -1)) {
      const next = isObject(inner[name]) ? inner[name] : {}
      inner[name] = next
      inner = next
    }
    const last = names.at(-1) ?? path
    inner[last] = value
  }
  return copy
}

/** Whether an object has these values at these paths. */
export function holds(data: Data, values: { [path: string]: unknown }): boolean {
  return Object.entries(values).every(([path, value]) => {
    const found = path
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return found === value
  })
}

function text({ format, maxLength }: JSONSchema, name: string): string {
  if (format === 'date-time') return '2026-01-15T09:30:00.000Z'
  if (format === 'date') return '2026-01-15'
  const made = /(^|_)id$/.test(name) ? '03h9vqz0k4m2x7c5t8b1n6r3d' : (known(name) ?? `Some ${name}`)
  return typeof maxLength === 'number' ? made.slice(0, maxLength) : made
}

function known(name: string): string | undefined {
  if (/email/.test(name)) return 'ada@example.com'
  if (/url$|image/.test(name)) return 'https://example.com/'
  if (/domain/.test(name)) return 'example.com'
  if (/phone|whatsapp/.test(name)) return '+15550100'
  if (/timezone/.test(name)) return 'Europe/Paris'
  if (name === 'company_name') return 'Example Ltd'
  if (name === 'full_name') return 'Ada Example'
  return undefined
}
