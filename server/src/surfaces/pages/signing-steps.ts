import type { StoredField } from '../../model/documents/requests/placed-fields.ts'
import type { Condition } from '../../model/documents/requests/conditions.ts'
import { byThemselves, isOptional } from '../../model/documents/requests/placed-fields.ts'

/** One thing that the signing page asks for, with the positions of the fields that it fills in. */
export type Step = {
  kind: StoredField['kind']
  label: string | null
  pages: number[]
  positions: number[]
  isOptional: boolean
  /** the field that decides whether it is asked for, and how */
  condition?: { of: StoredField; operator: Condition['operator']; value: string }
}

/**
 * What a recipient is asked, in the order in which the fields stand on the pages. There is one signature for all
 * places; initials and what fills itself in are there once for each label and condition. Without a place for it, the signature comes first.
 */
export function stepsOf(fields: StoredField[]): Step[] {
  const steps = new Map<string, Step>()
  const isPlaced = fields.some(({ kind }) => kind === 'signature')
  if (!isPlaced) steps.set('signature', { ...empty, kind: 'signature' })
  const order = fields
    .map((field, position) => ({ field, position }))
    .toSorted((one, other) => isBefore(one.field, other.field))
  for (const { field, position } of order) {
    const { kind, label, page, show_if } = field
    const isShared = kind === 'initials' || byThemselves.has(kind)
    const key =
      kind === 'signature'
        ? kind
        : isShared
          ? `${kind} ${label} ${JSON.stringify(show_if)}`
          : `${position}`
    const step = steps.get(key)
    steps.set(key, {
      kind,
      label: step ? step.label : label,
      pages: [...new Set([...(step?.pages ?? []), page])],
      positions: [...(step?.positions ?? []), position],
      isOptional: isOptional(field),
      ...conditionOf(field, fields),
    })
  }
  return [...steps.values()]
}

function conditionOf({ show_if }: StoredField, fields: StoredField[]): Pick<Step, 'condition'> {
  const of = show_if && fields.find(({ key }) => key === show_if.field)
  if (!of) return {}
  return { condition: { of, operator: show_if.operator, value: show_if.value ?? '' } }
}

const empty = { label: null, pages: [], positions: [], isOptional: false }

function isBefore(one: StoredField, other: StoredField): number {
  return one.page - other.page || one.y - other.y || one.x - other.x
}
