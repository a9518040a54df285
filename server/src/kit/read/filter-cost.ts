import type { Failure } from '../ground/errors.ts'
import { badRequest } from '../ground/errors.ts'
import type { Filterable } from './filter-fields.ts'

/**
 * What conditions cost, estimated before they run, in units of one comparison of a column a row. What
 * looks other rows up for each row is expensive, and so is what no index can serve however rare it is.
 */
export class FilterCost {
  total = 0
  /** by what makes them expensive: how many there are, and what they cost together */
  kinds = new Map<string, { count: number; cost: number }>()

  add(name: string, field: Filterable, operator: string, value: unknown): void {
    const [kind, own] = kindOf(name, field, operator)
    const cost = own + entriesCost(field, value)
    const known = this.kinds.get(kind) ?? { count: 0, cost: 0 }
    this.kinds.set(kind, { count: known.count + 1, cost: known.cost + cost })
    this.total += cost
  }

  /** What costs, most expensive first: `20 conditions on fields of linked records (100)`. */
  get words(): string {
    return [...this.kinds]
      .toSorted(([, a], [, b]) => b.cost - a.cost)
      .map(
        ([kind, { count, cost }]) =>
          `${count} ${count === 1 ? 'condition' : 'conditions'} ${kind} (${cost})`,
      )
      .join(', ')
  }

  /** 400 where it is more than a request may cost; 0 is no bound. */
  check(most: number, field: string): void {
    if (most && this.total > most) throw tooExpensive(this, most, field)
  }
}

function tooExpensive({ total, words }: FilterCost, most: number, field: string): Failure {
  const message = `costs ${total} of at most ${most}: ${words}; use fewer of the most expensive`
  return badRequest(`${field}: ${message}`, [{ field, message }], 'filter_too_expensive')
}

const kinds = {
  hop: 'on fields of linked records',
  computed: 'on computed fields',
  custom: 'on custom fields',
  answer: 'on answers',
  text: 'on parts of a text or list',
  plain: 'on fields of the record',
}

const within = /^(not_)?contains|^ends_with$/

function kindOf(name: string, field: Filterable, operator: string): [kind: string, cost: number] {
  if (name.startsWith('custom_fields.')) return [kinds.custom, within.test(operator) ? 3 : 2]
  if (name.startsWith('answers.')) return [kinds.answer, within.test(operator) ? 3 : 2]
  if (name.includes('.')) return [kinds.hop, 5]
  if (field.stored === undefined && /\bselect\b/i.test(field.sql)) return [kinds.computed, 5]
  if (within.test(operator)) return [kinds.text, 2]
  return [kinds.plain, 1]
}

/** Long lists of values: each instant is a range of its own, others are found in a set. */
function entriesCost({ kind }: Filterable, value: unknown): number {
  if (!Array.isArray(value)) return 0
  return Math.floor(value.length / (kind === 'timestamp' || kind === 'list' ? 5 : 50))
}
