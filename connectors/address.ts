import type { Field } from './model.ts'

/** The parts of an address, which forms show as fields of their own. */
const parts = {
  address: 'Street',
  city: 'City',
  state: 'State',
  zip_code: 'Zip Code',
  country: 'Country',
}

/** The fields of a form, an address as its parts: `address__city`. */
export function withAddressParts(fields: Field[]): Field[] {
  return fields.flatMap((field) =>
    field.type === 'address'
      ? Object.entries(parts).map(([part, name]) => ({
          ...field,
          key: `${field.key}__${part}`,
          label: `${field.label}: ${name}`,
          help: `${name} of the ${field.label.toLowerCase()}`,
          type: 'text' as const,
          isRequired: false,
        }))
      : field,
  )
}

/** The values of such a form, the parts of an address together again. */
export function withAddresses(
  fields: Field[],
  input: { [key: string]: unknown },
): { [key: string]: unknown } {
  const values = { ...input }
  for (const { key, type } of fields) {
    if (type !== 'address') continue
    const sent = Object.keys(parts)
      .map((part) => [part, values[`${key}__${part}`]] as const)
      .filter(([, value]) => value !== undefined && value !== '')
    if (sent.length) values[key] = Object.fromEntries(sent)
  }
  return values
}
