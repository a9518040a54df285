import { Type } from 'typebox'
import { enumeration } from '../ground/json-schema.ts'

/** The query of lists that are written by hand: pages, newest first. `crud` has one for records. */
export const pageProperties = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'page number, from 1' }),
  ),
  items_per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'entries per page (25)' }),
  ),
  sort: Type.Optional(enumeration(['creation_time'], { description: 'the field to sort by' })),
  reverse: Type.Optional(Type.Boolean({ description: 'oldest first; with sort, newest first' })),
}

/** In the query of lists whose pages may be shorter than requested. */
export const offsetProperty = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description:
      'number of records to skip, in place of `page`; the link to the next page uses it if a page of large records was cut at 8 MiB',
  }),
)

/** In the query of lists by page whose pages may be followed by cursor, too. */
export const nextCursorProperty = Type.Optional(
  Type.String({
    maxLength: 4000,
    description:
      'next_cursor of the previous answer, in place of `page`: what is created or deleted meanwhile moves no record to another page',
  }),
)

export type PageRequest = {
  page?: number
  /** in place of `page`: how many rows come before the page */
  offset?: number
  items_per_page?: number
  sort?: string
  reverse?: boolean
}

/** The requested page and the rows to read for it: one more, to know whether there is another. */
export function pageOf({
  page = 1,
  offset,
  items_per_page = 25,
  sort,
  reverse = false,
}: PageRequest) {
  return {
    number: page,
    size: items_per_page,
    descends: sort ? reverse : !reverse,
    limit: items_per_page + 1,
    skip: offset ?? (page - 1) * items_per_page,
  }
}
