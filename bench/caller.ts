import { Agent } from 'undici'

// Sends requests from a separate process, at a rate while no more than `atOnce` are unanswered, and sends
// its parent their times, in ms. `{n}` in a path or body is replaced by a number unique to the request.

export type Request = {
  method: 'GET' | 'POST'
  url: string
  token: string
  body?: unknown
}
/** Sends the requests in turn, at a rate per second, for some seconds. */
export type Work = { requests: Request[]; rate: number; seconds: number }
export type Answers = { ms: { [nth: string]: number[] }; failed: string[] }

const atOnce = 32
const agent = new Agent({ connections: atOnce, pipelining: 1 })
let serial = Date.now()

async function send({ method, url, token, body }: Request): Promise<string | undefined> {
  const n = String(serial++)
  const { origin, pathname, search } = new URL(url.replaceAll('{n}', n))
  const response = await agent.request({
    origin,
    path: pathname + search,
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body).replaceAll('{n}', n),
  })
  const text = await response.body.text()
  return response.statusCode < 300 ? undefined : `${response.statusCode} ${text.slice(0, 200)}`
}

async function work({ requests, rate, seconds }: Work): Promise<Answers> {
  const ms: { [nth: string]: number[] } = {}
  const failed: string[] = []
  const under = new Set<Promise<void>>()
  const begun = performance.now()
  const end = begun + seconds * 1000
  for (let sent = 0; performance.now() < end;) {
    // all that are due by now, so that a late timer does not change the rate
    const due = ((performance.now() - begun) / 1000) * rate
    for (; sent < due && under.size < atOnce; sent++) {
      const nth = sent % requests.length
      const at = performance.now()
      const request = send(requests[nth]!).then(
        (failure) => {
          if (failure) failed.push(failure)
          else (ms[nth] ??= []).push(performance.now() - at)
        },
        (error: unknown) => void failed.push(String(error)),
      )
      under.add(request)
      void request.then(() => under.delete(request))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(under)
  return { ms, failed }
}

process.on('message', (message: Work) => {
  void work(message).then((answers) => process.send?.(answers))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
