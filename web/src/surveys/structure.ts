import { capital } from '../ui/capital.ts'

/** The questions of a survey, as `form_structure` stores them. */
export type Structure = { pages?: Page[] }
export type Page = { id?: string; title?: string; fields?: Field[] }
export type Field = {
  id?: string
  label?: string
  type?: string
  required?: boolean
  maxRating?: number
}

const abbreviations: { [type: string]: string } = {
  nps: 'NPS',
  csat: 'CSAT',
  ces: 'CES',
  url: 'URL',
}

/** The type of a question in words: "Single select", "NPS". */
export function typeWords(type: string): string {
  return abbreviations[type] ?? capital(type.replaceAll('-', ' '))
}

/** All numbers that may answer a question on a scale, lowest first; undefined for other types. */
export function scaleOf(type: string, { maxRating }: Pick<Field, 'maxRating'> = {}) {
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  switch (type) {
    case 'nps':
      return from(0, 10)
    case 'ratings':
    case 'csat':
      return from(1, maxRating ?? 5)
    case 'ces':
      return from(1, maxRating ?? 7)
    default:
      return undefined
  }
}
