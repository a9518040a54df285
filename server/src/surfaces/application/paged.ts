import type { Operation } from '../../kit/ground/operation.ts'

/** A list whose `page` and `items_per_page` the specification marks required. */
export function paged(operation: Operation): Operation {
  const query = { ...operation.input.query, required: ['page', 'items_per_page'] }
  return { ...operation, input: { ...operation.input, query } }
}
