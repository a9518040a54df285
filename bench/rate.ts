import autocannon from 'autocannon'

/** The target and content of requests; `paths` and `body` may differ for each request. */
export type Target = {
  url: string
  method?: 'GET' | 'POST'
  headers?: { [name: string]: string }
  body?: () => string
  paths?: string[]
}

/** Requests a second over so many seconds and connections; throws when any answer is not a success. */
export async function rate(
  { url, method = 'GET', headers, body, paths }: Target,
  duration: number,
  connections: number,
): Promise<number> {
  const base = new URL(url).origin
  const path = url.slice(base.length) || '/'
  let next = 0
  const requests =
    paths || body
      ? [
          {
            method,
            headers,
            setupRequest: (request: autocannon.Request) => ({
              ...request,
              path: paths ? paths[next++ % paths.length] : path,
              ...(body ? { body: body() } : {}),
            }),
          },
        ]
      : undefined
  const result = await autocannon({
    url: requests ? base : url,
    method,
    headers,
    duration,
    requests,
    connections,
  })
  if (result.non2xx || result.errors)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return Math.round(result.requests.average)
}
