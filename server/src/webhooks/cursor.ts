import { badField } from '../kit/ground/errors.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** The query of a list whose rows come by id, newest first. */
export const pageQuery: { [name: string]: JSONSchema } = {
  limit: { type: 'integer', minimum: 1, maximum: 500, description: 'rows a page (20)' },
  next_cursor: { type: 'string', maxLength: 4000, description: 'from the answer before' },
}

export function pageSchema(item: JSONSchema): JSONSchema {
  return {
    type: 'object',
    properties: {
      results: { type: 'array', items: item },
      next_cursor: { type: ['string', 'null'] },
    },
    required: ['results', 'next_cursor'],
  }
}

/** The size of a page and the id that it comes after; 400 for a cursor of another list. */
export function boundTo(
  list: string,
  { limit = 20, next_cursor }: { limit?: number; next_cursor?: string },
): { size: number; after: string | undefined } {
  if (next_cursor === undefined) return { size: limit, after: undefined }
  try {
    const given: unknown = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
    if (Array.isArray(given) && given[0] === list && /^[0-9a-z]{1,25}$/.test(given[1])) {
      return { size: limit, after: given[1] }
    }
  } catch {
    // no JSON is no cursor either
  }
  throw badField('next_cursor', 'is not a cursor of this list with these filters')
}

/** A page out of rows of which one more than fits was asked for. */
export function pageOf<R extends { id: string }>(list: string, rows: R[], size: number) {
  const results = rows.slice(0, size)
  const last = rows.length > size ? results.at(-1) : undefined
  const next_cursor = last
    ? Buffer.from(JSON.stringify([list, last.id])).toString('base64url')
    : null
  return { results, next_cursor }
}
