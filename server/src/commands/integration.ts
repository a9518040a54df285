import { ConfigError } from '../kit/ground/errors.ts'
import type { Access, Reply } from '../tour/connector.ts'
import {
  Mismatch,
  authorize,
  exchange,
  request,
  sentenceOf,
  signIn,
  signedHeaders,
} from '../tour/connector.ts'

/** The options of a request besides its path. */
export type Sending = { query?: URLSearchParams; json?: unknown }

/** A connection to the integration surface that gets tokens itself, and signs each request. */
export type Connection = {
  /** the answer, whatever its status; ConfigError if there is none or the credentials are refused */
  send(method: string, path: string, sending?: Sending): Promise<Reply>
}

/** Tokens are valid for an hour; a new one is requested this early, in milliseconds. */
const freshForMs = 50 * 60_000

/** Connects as the app's user. Nothing is sent before the first request. */
export function connectTo(access: Access): Connection {
  let token: Promise<string> | undefined
  let takenAt = 0
  const freshToken = () => {
    if (!token || Date.now() - takenAt > freshForMs) {
      takenAt = Date.now()
      token = takeToken(access)
      token.catch(() => (token = undefined))
    }
    return token
  }
  return {
    async send(method, path, { query, json } = {}) {
      try {
        const headers = signedHeaders(access, await freshToken())
        const search = query?.size ? `?${query}` : ''
        return await request(access, method, path + search, { headers, json })
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error
        throw new ConfigError(error.message)
      }
    },
  }
}

async function takeToken(access: Access): Promise<string> {
  const code = await authorize(access, await signIn(access))
  return (await exchange(access, code)).access_token
}

/** The answer if it is a success; else a ConfigError with the server's message. */
export function succeeded(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply
  throw new ConfigError(sentenceOf(reply))
}
