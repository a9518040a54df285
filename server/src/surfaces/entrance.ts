import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

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

/** The handler for admitted requests. */
export function entered(entrance: Entrance, handler: RequestListener): RequestListener {
  return (request, response) => {
    const enter = () => handler(request, response)
    if (!entrance.holds?.(request, response, enter)) enter()
  }
}
