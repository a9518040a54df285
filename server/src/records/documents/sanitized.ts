import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { computationOf } from '../../kit/ground/computation.ts'
import type { Context } from '../../kit/ground/context.ts'

const load = async () => (await import('./safe-html.ts')).safeHtml
const sanitizing = computationOf(import.meta.resolve('./safe-html.ts'), 'safeHtml', load)

/** The maximum number of characters that are sanitized in this thread: at most 2 ms for any text. */
const short = 1000

type Caller = Pick<Context, 'organization' | 'services'>

const cache = new LRUCache<string, string, { ctx: Caller; html: string }>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (safe, key) => safe.length + key.length,
  fetchMethod: (_key, _stale, { context: { ctx, html } }) =>
    ctx.services.computations.run(ctx.organization.id, sanitizing, html),
})

/**
 * Untrusted HTML without anything that could run, load or navigate away. Texts longer than a
 * thousand characters are sanitized in another process, since 480 kB of tags take 1 to 15 s. Results are
 * cached. 400 if it takes too long.
 */
export async function sanitized(ctx: Caller, html: string): Promise<string> {
  if (html.length <= short) return (await load())(html)
  const key = `${ctx.organization.id} ${createHash('sha256').update(html).digest('base64')}`
  return cache.forceFetch(key, { context: { ctx, html } })
}
