/** The query of lists that are written by hand: pages, newest first. `crud` has one for records. */
export const pageProperties = {
  page: { type: 'integer', minimum: 1, maximum: 2_000_000_000, description: 'page, from 1' },
  items_per_page: {
    type: 'integer',
    minimum: 1,
    maximum: 500,
    description: 'how many a page (25)',
  },
  sort: { type: 'string', enum: ['creation_time'], description: 'the field to sort by' },
  reverse: { type: 'boolean', description: 'oldest first; with sort, newest first' },
}

export type PageRequest = {
  page?: number
  items_per_page?: number
  sort?: string
  reverse?: boolean
}

/** The page asked for and the rows to read for it: one more, to know whether there is another. */
export function pageOf({ page = 1, items_per_page = 25, sort, reverse = false }: PageRequest) {
  return {
    number: page,
    size: items_per_page,
    descends: sort ? reverse : !reverse,
    limit: items_per_page + 1,
    skip: (page - 1) * items_per_page,
  }
}
