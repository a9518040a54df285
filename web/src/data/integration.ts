/** A request of the integration surface, as a connector sends it. */
export type SignedRequest = {
  method: string
  path: string
  headers: { [name: string]: string }
  body?: string | undefined
}

/** The answer, whatever its status is. */
export type RawAnswer = { status: number; headers: [string, string][]; text: string; ms: number }

/** Sends a request without the session of this browser and returns the raw answer. */
export async function sendRaw({ method, path, headers, body }: SignedRequest): Promise<RawAnswer> {
  const begun = performance.now()
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'omit',
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => shown.test(name)),
    text,
    ms: Math.round(performance.now() - begun),
  }
}

const shown = /^(content-type|etag|link|location|retry-after|x-|ratelimit)/
