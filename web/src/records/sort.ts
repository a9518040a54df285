import type { Field } from '../data/modules.ts'

type Sortable = { fields: Pick<Field, 'name' | 'is_sortable'>[] }

/** The part of the address's order that the list supports: a view may name a field that no longer exists. */
export function sortOf({ fields }: Sortable, sort?: string): string | undefined {
  const known = sort?.split(',').filter((key) => {
    const name = key.replace(/^-/, '')
    // fields of linked records are not described
    return fields.find((field) => field.name === name)?.is_sortable ?? name.includes('.')
  })
  return known?.length ? known.join(',') : undefined
}
