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
