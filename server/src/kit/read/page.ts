import { Type } from 'typebox'
import { enumeration } from '../ground/json-schema.ts'
import { eitherOf } from '../record/names.ts'

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

/** Other names for the page and its size, in the query of the lists that part 4 of the specification describes with them. */
export const otherPageProperties = {
  page_size: Type.Optional({
    ...pageProperties.items_per_page,
    description: 'same as items_per_page',
  }),
  page_number: Type.Optional({ ...pageProperties.page, description: 'same as page' }),
}

/** The page that a query asks for under either name; 400 where they differ. */
export function pageUnderEitherName(query: {
  page?: number
  page_number?: number
  items_per_page?: number
  page_size?: number
}): Pick<PageRequest, 'page' | 'items_per_page'> {
  return {
    page: eitherOf(['page', query.page], ['page_number', query.page_number]),
    items_per_page: eitherOf(
      ['items_per_page', query.items_per_page],
      ['page_size', query.page_size],
    ),
  }
}

/** The number of records that a query asks for under either name; 400 where they differ. */
export function sizeUnderEitherName(query: {
  items_per_page?: number
  limit?: number
}): number | undefined {
  return eitherOf(['items_per_page', query.items_per_page], ['limit', query.limit])
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
