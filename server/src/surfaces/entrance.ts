import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    entrance: Entrance
  }
}

/** What looks at a request before it takes any of the framework's time. */
export type Entrance = {
  /**
   * takes a request over where it returns true: answers it, or calls `enter` once it is let in; undefined until there
   * is something that refuses
   */
  holds:
    | ((request: IncomingMessage, response: ServerResponse, enter: () => void) => boolean)
    | undefined
}

/** The handler of what the entrance lets through. */
export function entered(entrance: Entrance, handler: RequestListener): RequestListener {
  return (request, response) => {
    const enter = () => handler(request, response)
    if (!entrance.holds?.(request, response, enter)) enter()
  }
}
