import type { Group } from '../../data/groups.ts'
import type { Field } from '../../data/modules.ts'

/** The lanes of a board: one for each option of the field, even without records, then those of other values. */
export function lanesOf(field: Field, groups: Group[]): Group[] {
  const known = field.options.map(
    (option) =>
      groups.find((group) => String(group.value) === String(option.value)) ?? {
        value: option.value,
        label: option.label,
        color: option.color,
        count: 0,
        sums: [],
        records: [],
      },
  )
  const rest = groups.filter((group) => !known.includes(group))
  return [...known, ...rest]
}
