import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'
import type { Context } from '../../kit/ground/context.ts'
import { computation } from '../../kit/ground/computation.ts'

/** HTML that somebody wrote, without anything that could run, load or navigate away. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'del', 'ins'],
    allowedAttributes: { a: ['href'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    disallowedTagsMode: 'discard',
    nestingLimit: 50,
  })
}

const sanitizing = computation(import.meta.url, safeHtml)

/** Up to so many characters are sanitized at once: within 2 ms, whatever they are. */
const short = 1000

type Caller = Pick<Context, 'organization' | 'services'>

const cache = new LRUCache<string, string, { ctx: Caller; html: string }>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (safe, key) => safe.length + key.length,
  fetchMethod: (_key, _stale, { context: { ctx, html } }) =>
    ctx.services.threads.run(ctx.organization.id, sanitizing, html),
})

/**
 * The same in a worker thread, since 480 kB of tags take 1 to 15 s. What is viewed again and again is
 * sanitized once. 400 where it takes too long.
 */
export async function sanitized(ctx: Caller, html: string): Promise<string> {
  if (html.length <= short) return safeHtml(html)
  const key = `${ctx.organization.id} ${createHash('sha256').update(html).digest('base64')}`
  return cache.forceFetch(key, { context: { ctx, html } })
}
