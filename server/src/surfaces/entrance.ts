import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Failure } from '../kit/ground/errors.ts'
import { sendBare } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    entrance: Entrance
  }
}

/** Decides about a request before it takes any of the framework's time. */
export type Entrance = {
  /**
   * takes a request over if it returns true: answers it, or calls `enter` once it is admitted; undefined until there
   * is a handler
   */
  holds:
    | ((request: IncomingMessage, response: ServerResponse, enter: () => void) => boolean)
    | undefined
}

/** The handler for admitted requests; 400 for one that names two hosts (RFC 9112 3.2), of which proxies may read the other. */
export function entered(entrance: Entrance, handler: RequestListener): RequestListener {
  return (request, response) => {
    if (hasTwoHosts(request)) return sendBare(response, twoHosts())
    const enter = () => handler(request, response)
    if (!entrance.holds?.(request, response, enter)) enter()
  }
}

/** Whether `Host` is there twice; Node keeps only the first one in `headers`. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  const isHost = (text: string, i: number) =>
    i % 2 === 0 && text.length === 4 && /^host$/i.test(text)
  return rawHeaders.filter(isHost).length > 1
}

function twoHosts(): Failure {
  return new Failure(400, 'invalid_host', 'A request must have one Host header')
}
