import type { HandOver, LooseLink } from './record.ts'

/**
 * A table that is no record. Merges, removals, erasures, hand-overs, archives and searches for personal data take
 * from here what they do with it.
 */
export type ServiceTable = {
  table: string
  /** its columns that name records; most of their foreign keys cascade */
  links: LooseLink[]
  /** what of it a user takes over from another */
  handOver: HandOver[]
  /** the column with the user whose own rows they are: erased with them */
  ownedBy?: string
  /** triggers write its rows from those of other tables */
  isDerived?: boolean
  /** its rows expire within a day: an archive omits them */
  isShortLived?: boolean
  /** it holds nothing about people */
  isImpersonal?: boolean
}

/** Declares a table that is no record, beside the records that it belongs to; `model/all.ts` lists them. */
export function serviceTable(
  table: string,
  more: Partial<Omit<ServiceTable, 'table'>>,
): ServiceTable {
  return { table, links: [], handOver: [], ...more }
}

/** A column that names a user. */
export function userIn(column = 'user_id'): LooseLink {
  return { column, to: ['users'] }
}

/** A column that names rows of these tables. */
export function rowIn(column: string, ...to: string[]): LooseLink {
  return { column, to }
}

/** The same as it was: whoever reads it follows a merge. */
export function past(link: LooseLink): LooseLink {
  return { ...link, isHistory: true }
}
