import { shellWord } from '../../kit/ground/shell.ts'
import type { OpenApi, OpenApiOperation } from '../openapi.ts'
import { codeBlock, escaped } from './html.ts'

/** An operation that somebody wants to try, with an example of its body if it has one. */
type Tried = { method: string; path: string; described: OpenApiOperation; example: unknown }

/** Longer than this, a body does not fit into an address; in characters. */
const longest = 1500

/**
 * How an operation is tried: those of the integration surface, whose requests are signed, on the page of the
 * workspace that signs them, and the others by a command line.
 */
export function tryingHtml(document: OpenApi, { method, path, described, example }: Tried): string {
  if (method === 'EVENT') return ''
  const security = (described.security ?? []) as { [scheme: string]: string[] }[]
  if (security.some(({ oauthSignature }) => oauthSignature)) {
    const body = example === undefined ? '' : JSON.stringify(example, null, 2)
    const search = new URLSearchParams({
      method,
      path,
      // the screens read a value that is JSON as such, and this one is a text
      ...(body && body.length <= longest ? { body: JSON.stringify(body) } : {}),
    })
    return `<p><a href="${escaped(`/developers/try?${search}`)}">Try it in Developers</a></p>`
  }
  const lines = [
    `curl -X ${method} ${shellWord(`${(document.servers[0]?.url ?? '').replace(/\/$/, '')}${path}`)}`,
    ...(security.some(({ bearerAuth }) => bearerAuth) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(example === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellWord(JSON.stringify(example))}`]),
  ]
  return `<details><summary>Try it with curl</summary>${codeBlock(lines.join(' \\\n  '), 'curl')}</details>`
}
