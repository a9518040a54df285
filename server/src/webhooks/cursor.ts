import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { badField } from '../kit/ground/errors.ts'
import { orNull } from '../kit/ground/json-schema.ts'

/** The query parameters of a list in the order of ids, newest first. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'entries per page (20)' }),
  ),
  next_cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: 'from the previous answer' }),
  ),
}

/** A page of such a list; `next_cursor` is null on the last one. */
export function pageSchema<S extends TSchema>(item: S) {
  return Type.Object({ results: Type.Array(item), next_cursor: orNull(Type.String()) })
}

/** The size of a page and the id that it comes after; 400 for a cursor of another list. */
export function boundTo(
  list: string,
  { limit = 20, next_cursor }: { limit?: number; next_cursor?: string },
): { size: number; after: string | undefined } {
  if (!next_cursor) return { size: limit, after: undefined }
  try {
    const cursor: unknown = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
    if (Array.isArray(cursor)) {
      const [of, after] = cursor as unknown[]
      if (of === list && typeof after === 'string' && /^[0-9a-z]{1,25}$/.test(after)) {
        return { size: limit, after }
      }
    }
  } catch {
    // text that is not JSON is no cursor
  }
  throw badField('next_cursor', 'is not a cursor of this list with these filters')
}

/** A page of rows, of which one more than fits was read. */
export function pageOf<R extends { id: string }>(list: string, rows: R[], size: number) {
  const results = rows.slice(0, size)
  const last = rows.length > size ? results.at(-1) : undefined
  const next_cursor = last
    ? Buffer.from(JSON.stringify([list, last.id])).toString('base64url')
    : null
  return { results, next_cursor }
}
