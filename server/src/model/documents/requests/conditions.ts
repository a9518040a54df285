/** When a field is asked for: by what stands in another field of the same recipient. */
export type Condition = {
  /** the key of the other field */
  field: string
  operator: (typeof operators)[number]
  /** what `equals` and `differs` compare with; a ticked checkbox has `yes` */
  value?: string
}

export const operators = ['filled', 'empty', 'equals', 'differs'] as const

/** The kinds that a condition can depend on: what is filled in by hand. */
export const decisive: ReadonlySet<string> = new Set([
  'text',
  'checkbox',
  'company',
  'number',
  'choice',
])

type Conditional = { key?: string; kind: string; show_if?: Condition }

/**
 * Which fields of a recipient are asked for, by what is filled in at each. The signing page, the check when somebody signs
 * and so the sealed file ask this function. A field that is not asked for counts as empty for those that depend on it.
 */
export function areAsked(fields: Conditional[], valueAt: (position: number) => string): boolean[] {
  const known = new Map<number, boolean>()
  const isAsked = (position: number): boolean => {
    const stored = known.get(position)
    if (stored !== undefined) return stored
    // conditions that lead back to themselves are refused; nothing is asked for by one
    known.set(position, false)
    const condition = fields[position]?.show_if
    const answer = !condition || holds(condition)
    known.set(position, answer)
    return answer
  }
  const holds = ({ field, operator, value = '' }: Condition): boolean => {
    const at = fields.findIndex(({ key }) => key === field)
    const its = at !== -1 && isAsked(at) ? valueAt(at).trim() : ''
    switch (operator) {
      case 'filled':
        return its !== ''
      case 'empty':
        return its === ''
      case 'equals':
        return its === value.trim()
      default:
        return its !== value.trim()
    }
  }
  return fields.map((_, position) => isAsked(position))
}

/** What is wrong with the conditions of a recipient's fields, by position. */
export function conditionErrors(fields: Conditional[]): { position: number; message: string }[] {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return fields.flatMap((field, position) => {
    const message = errorOf(field, byKey)
    return message ? [{ position, message }] : []
  })
}

function errorOf(
  field: Conditional,
  byKey: Map<string | undefined, Conditional>,
): string | undefined {
  const { show_if, kind } = field
  if (!show_if) return undefined
  if (kind === 'signature') return 'is not for signatures, which are always asked for'
  const other = byKey.get(show_if.field)
  if (!other) return 'must name the key of another field of the same recipient'
  if (!decisive.has(other.kind)) return 'must name a field that is filled in by hand'
  if (['equals', 'differs'].includes(show_if.operator) && !show_if.value?.trim()) {
    return 'needs a value to compare with'
  }
  const passed = new Set<Conditional>()
  for (let next: Conditional | undefined = field; next?.show_if;) {
    if (passed.has(next)) return 'leads back to itself'
    passed.add(next)
    next = byKey.get(next.show_if.field)
  }
  return undefined
}
