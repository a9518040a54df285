import type { Clause } from '../data/list.ts'

/** The layouts that only some lists have. */
export type OwnLayoutName = 'timeline' | 'load'

/** How a list is laid out. */
export type Layout = 'table' | 'board' | OwnLayoutName

const layouts: readonly Layout[] = ['table', 'board', 'timeline', 'load']

/** A list's part of the address; omitted parameters have their defaults. */
export type ListSearch = {
  q?: string
  sort?: string
  /** the conditions */
  f?: Clause[]
  /** the saved view */
  view?: string
  as?: Layout
  group?: string
  page?: number
  size?: number
  cols?: string
  /** the record in the side panel */
  peek?: string
  /** a new record's form is open */
  new?: boolean
}

const texts = ['q', 'sort', 'view', 'group', 'cols', 'peek'] as const

/** Reads a list's address; what is unknown or wrong is dropped. */
export function listSearch(search: { [name: string]: unknown }): ListSearch {
  const found: ListSearch = textsIn(texts)(search)
  const as = layouts.find((each) => each === search.as)
  if (as) found.as = as
  const clauses = Array.isArray(search.f) ? search.f.filter(isClause) : []
  if (clauses.length) found.f = clauses
  const page = Number(search.page)
  if (Number.isInteger(page) && page > 1) found.page = page
  const size = Number(search.size)
  if ([25, 100, 200].includes(size)) found.size = size
  if (search.new === true) found.new = true
  return found
}

/** Reads the named texts of an address; what is empty or no text is dropped. */
export function textsIn<Name extends string>(names: readonly Name[]) {
  return (search: { [name: string]: unknown }): { [name in Name]?: string } => {
    const found: { [name in Name]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') found[name] = value
      else if (typeof value === 'number') found[name] = String(value)
    }
    return found
  }
}

/** Whether it has the shape of a condition, or of a group of them; the server checks fields and operators. */
function isClause(value: unknown): value is Clause {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { field, operator, and, or, not } = value as { [name: string]: unknown }
  if (typeof field === 'string') return typeof operator === 'string'
  const group = and ?? or
  return Array.isArray(group) ? group.every(isClause) : isClause(not)
}
