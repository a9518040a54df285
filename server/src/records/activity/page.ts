import type { Context, Query } from '../../kit/ground/context.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { pageOf } from '../../kit/read/page.ts'
import { readEntries } from './entry.ts'

/**
 * A page of the log entries that meet a condition over `e`, with the total if a query for it is
 * passed. If the entries are large the page is shorter, and the next one begins where it ends.
 */
export async function listPageOfEntries(
  ctx: Context,
  condition: Query,
  request: PageRequest,
  total?: Query,
): Promise<Answer> {
  const { number, size, ...slice } = pageOf(request)
  const [{ entries, isCut }, counted] = await Promise.all([
    readEntries(ctx, condition, slice),
    total && ctx.one<{ n: number }>(total),
  ])
  const shown = entries.slice(0, size)
  const isShorter = isCut && shown.length < size
  const texts = shown.map(({ text }) => text)
  return new Answer(Json.of('[', texts, ']'), {
    page: {
      number,
      size,
      more: isCut || entries.length > size,
      total: counted?.n,
      offset: request.offset,
      ...(isShorter ? { next: slice.skip + shown.length } : {}),
    },
  })
}
