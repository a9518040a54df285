import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    entrance: Entrance
  }
}

/** What looks at a request before it takes any of the framework's time. */
export type Entrance = {
  /** answers a request itself where it returns true; undefined until there is something that refuses */
  refuses: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

/** The handler of what the entrance lets through. */
export function entered(entrance: Entrance, handler: RequestListener): RequestListener {
  return (request, response) => {
    if (!entrance.refuses?.(request, response)) handler(request, response)
  }
}
