import type { Field } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'

/** A person in a record. */
export type Person = { user_id: string; full_name: string; profile_image?: string | null }

/** A linked record: its id and title. */
export type Linked = { module: string; id: string; title: string | undefined }

/** The person in a value; undefined if there is none, or none with a name. */
export function personIn(value: unknown): Person | undefined {
  return isObject(value) && typeof value.user_id === 'string' && typeof value.full_name === 'string'
    ? (value as unknown as Person)
    : undefined
}

/**
 * The linked record of a field: if its value is only an id, its title is in the member of the same
 * name without `_id` (`account_id`, `account`), or with `_name` (`project_id`, `project_name`).
 */
export function linkedIn(field: Field, record: AnyRecord, value: unknown): Linked | undefined {
  const { reference } = field
  if (!reference || value === null || value === undefined) return undefined
  const { module, key, title_field } = reference
  const base = field.name.replace(/_id$/, '')
  const whole = isObject(value) ? value : isObject(record[base]) ? record[base] : undefined
  const id = isObject(value) ? value[key] : value
  if (typeof id !== 'string') return undefined
  const title = whole?.[title_field] ?? record[`${base}_name`] ?? record[`${base}_title`]
  return { module, id, title: typeof title === 'string' ? title : undefined }
}

/** The text of a value without its own display: its name or e-mail, else all its contents. */
export function labelOf(value: unknown): string {
  if (!isObject(value)) return String(value)
  const name = Object.entries(value).find(
    ([key, each]) => /(^|_)(name|title|label|domain|email)$/.test(key) && typeof each === 'string',
  )
  if (name) return String(name[1])
  return Object.values(value)
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .join(', ')
}

export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
