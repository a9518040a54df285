import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { dial } from '../sockets.ts'

const text = 'x'.repeat(1_000_000)
const part = (i: number) =>
  `--xx\r\ncontent-disposition: form-data; name="t${i}"\r\n\r\n${text}\r\n`

export default {
  name: '50 forms in chunks, each of 200 texts of a megabyte',
  shows: 'The texts of a form are bounded together, however they arrive.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    max_form_text_kib: 0,
    max_received_mib: 0,
    max_received_mib_address: 0,
    body_loop_percent: 0,
  },
  async attack({ url, noisy, signal, ready }) {
    const head = [
      'POST /api/documents/ HTTP/1.1',
      'host: x',
      `authorization: Bearer ${noisy.users.admin.token}`,
      'content-type: multipart/form-data; boundary=xx',
      'transfer-encoding: chunked',
    ]
    const one = async () => {
      while (!signal.aborted) {
        const socket = dial(url).resume()
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        for (let i = 0; i < 200 && !signal.aborted && !socket.destroyed; i++) {
          const chunk = part(i)
          const isTaken = socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
          while (!isTaken && socket.writableNeedDrain && !socket.destroyed && !signal.aborted) {
            await sleep(20)
          }
        }
        socket.destroy()
        await sleep(10)
      }
    }
    const all = Array.from({ length: 50 }, one)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
