import type { Agent } from 'undici'
import { fetch } from 'undici'
import { LRUCache } from 'lru-cache'
import { boundedBody } from './kit/ground/bounded-body.ts'
import { Failure } from './kit/ground/errors.ts'
import type { ClientDocument, ClientDocuments } from './kit/ground/services.ts'
import type { Log } from './kit/ground/context.ts'

const timeoutMs = 5000
/** The maximum size of a description: real ones have one or two kilobytes. */
const mostBytes = 32 * 1024
const tenMinutes = 600_000
const halfAMinute = 30_000

/** Limits the concurrent requests and the rate per host; null if there are too many. */
type Admit = (host: string) => { release(): void } | null

/**
 * Reads the documents by which OAuth clients describe themselves (client id metadata documents). Anybody
 * may name an address, so `agent` guards where requests may go; no redirects, at most 5 seconds and 32
 * KiB. Documents are cached for ten minutes, failures for half a minute.
 */
export function clientDocuments(agent: Agent, admit: Admit, log: Log): ClientDocuments {
  const known = new LRUCache<string, Promise<ClientDocument>>({ max: 1000, ttl: tenMinutes })
  return {
    isKnown: (url) => known.has(url),
    read(url) {
      const cached = known.get(url)
      if (cached) return cached
      const found = read(agent, admit, url).catch((err: unknown) => {
        log.warn({ url, reason: (err as Error).message }, 'a client document was refused')
        throw err instanceof Failure ? err : refused('cannot be read from here')
      })
      known.set(url, found)
      found.catch(() => known.set(url, found, { ttl: halfAMinute }))
      return found
    },
  }
}

async function read(agent: Agent, admit: Admit, url: string): Promise<ClientDocument> {
  const permit = admit(new URL(url).hostname)
  if (!permit) throw new Failure(429, 'rate_limited', 'Too many requests', { retryAfter: 1 })
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const content = await boundedBody(response.body, mostBytes, () => refused('is too large'))
    const text = content.toString('utf8')
    if (response.status !== 200) throw refused(`answered ${response.status}`)
    return parsed(url, text)
  } finally {
    permit.release()
  }
}

function parsed(url: string, text: string): ClientDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw refused('is not JSON')
  }
  if (typeof document !== 'object' || document === null) throw refused('is no object')
  if ((document as ClientDocument).client_id !== url) throw refused('names another client_id')
  return document as ClientDocument
}

function refused(why: string): Failure {
  return new Failure(400, 'invalid_client', `The document that client_id names ${why}`)
}
