import type { Field } from '../../data/modules.ts'
import { isObject } from './linked.ts'

export type Option = Field['options'][number]

/** The option of a select's value; statuses have their own name and color. */
export function optionIn(field: Field, value: unknown): Option | undefined {
  if (value === null || value === undefined) return undefined
  if (isObject(value)) {
    const label = value.status_name ?? value.stage_name ?? value.name ?? value.label ?? value.title
    const id = value.status_id ?? value.stage_id ?? value.id ?? value.value
    if (label === undefined) return undefined
    const known = field.options.find((option) => option.value === String(id))
    return {
      value: String(id ?? label),
      label: String(label),
      color: typeof value.color === 'string' ? value.color : (known?.color ?? null),
      ...(typeof value.category === 'string' ? { kind: value.category } : {}),
      icon: null,
    } as Option
  }
  const text = String(value)
  return (
    field.options.find((option) => String(option.value) === text) ??
    ({ value: text, label: text, color: null, icon: null } as Option)
  )
}
