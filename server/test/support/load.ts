import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'

/** Connections that `startLoad` keeps open. */
export const connections = 12

/**
 * Reads and writes over kept-alive connections until the server takes no more, or until `stop`. What was
 * sent and has no answer, or another one than 200, is `dropped`; what was never taken is `refused`.
 */
export async function startLoad(url: string, token: string) {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const seen = { answered: 0, made: 0, refused: 0, dropped: [] as string[] }
  const mark = Math.random().toString(36).slice(2)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let isUnderWay = () => {}
  let isOver = false
  const underWay = new Promise<void>((resolve) => (isUnderWay = resolve))

  async function work(worker: number) {
    for (let i = 0; !isOver; i++) {
      const writes = i % 3 === 0
      const company_name = `Load ${mark} ${worker} ${i}`
      try {
        const { statusCode, body } = await pool.request({
          method: writes ? 'POST' : 'GET',
          path: writes ? '/api/company/' : '/api/company/?page=1&items_per_page=20',
          headers,
          body: writes ? JSON.stringify({ company_name }) : null,
        })
        const text = await body.text()
        if (statusCode !== 200) {
          seen.dropped.push(`${statusCode} ${text}`)
          return
        }
        seen.answered++
        if (writes) seen.made++
        if (seen.answered === 10 * connections) isUnderWay()
        // some connections rest for a moment: a request may come over them after the signal
        if (worker % 2) await pause(worker * 5)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message
        // the listener is closed: the request was never taken
        if (code === 'ECONNREFUSED') seen.refused++
        else seen.dropped.push(code)
        return
      }
    }
  }
  const ended = Promise.all(Array.from({ length: connections }, (_each, i) => work(i))).then(
    async () => {
      await pool.destroy()
      return seen
    },
  )
  return {
    seen,
    underWay,
    ended,
    stop() {
      isOver = true
      return ended
    },
  }
}
