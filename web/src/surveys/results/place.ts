import { useNavigate, useSearch } from '@tanstack/react-router'

/** What the address of results holds: what they are restricted to, and how they are shown. */
const names = [
  'since',
  'until',
  'account',
  'owner',
  'segment',
  'language',
  'version',
  'schedule',
  'answers',
] as const

export type ResultFilters = { [name in (typeof names)[number]]?: string }
export type ResultPlace = ResultFilters & { compare?: string; unit?: string }

/** The filters of the address as texts, and how to change some of them; an empty one is taken away. */
export function useResultPlace(): [ResultPlace, (next: ResultPlace) => void] {
  const search = useSearch({ strict: false }) as { [name: string]: unknown }
  const navigate = useNavigate()
  const place: ResultPlace = {}
  for (const name of [...names, 'compare', 'unit'] as const) {
    const value = search[name]
    // the address reads numbers and JSON as what they are
    if (value === undefined || value === null || value === '') continue
    place[name] = typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const change = (next: ResultPlace) =>
    void navigate({
      to: '.',
      search: Object.fromEntries(
        Object.entries({ ...search, ...next }).filter(([, value]) => value),
      ) as never,
      replace: true,
    })
  return [place, change]
}

/** What every part asks for. */
export function filtersOf(place: ResultPlace): ResultFilters {
  return Object.fromEntries(names.flatMap((name) => (place[name] ? [[name, place[name]]] : [])))
}

/** No filter at all. */
export const cleared: ResultPlace = {
  ...Object.fromEntries(names.map((name) => [name, ''])),
  compare: '',
}

/** The condition that an answer has this value, added to the others of the address; one on the same question gives way. */
export function answersWith(answers: string | undefined, field: string, value: unknown): string {
  const name = `answers.${field}`
  const isList = Array.isArray(value)
  const one = isList
    ? { field: name, operator: 'contains', value: value[0] as unknown }
    : { field: name, operator: 'eq', value }
  return JSON.stringify([...conditionsIn(answers).filter((each) => each.field !== name), one])
}

export type AnswerCondition = { field: string; operator: string; value: unknown }

/** The conditions on answers of an address; one that is broken is none. */
export function conditionsIn(answers: string | undefined): AnswerCondition[] {
  if (!answers) return []
  try {
    const parsed: unknown = JSON.parse(answers)
    return Array.isArray(parsed) ? parsed.filter(isCondition) : []
  } catch {
    return []
  }
}

function isCondition(value: unknown): value is AnswerCondition {
  return (
    typeof value === 'object' &&
    value !== null &&
    'field' in value &&
    typeof value.field === 'string'
  )
}
