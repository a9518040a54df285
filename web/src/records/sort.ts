import type { Field } from '../data/modules.ts'

type Sortable = { fields: Pick<Field, 'name' | 'is_sortable'>[] }

/** The part of an address's order that the list can have: a view may name a field that is gone since. */
export function sortOf({ fields }: Sortable, sort?: string): string | undefined {
  const known = sort?.split(',').filter((key) => {
    const name = key.replace(/^-/, '')
    // fields of linked records are not described
    return fields.find((field) => field.name === name)?.is_sortable ?? name.includes('.')
  })
  return known?.length ? known.join(',') : undefined
}
