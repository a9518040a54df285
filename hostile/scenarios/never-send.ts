import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { dial } from '../sockets.ts'

const head =
  'POST /api/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n'
// no single object has too many keys, but all together take long
const object = (_: unknown, nth: number) =>
  `{${Array.from({ length: 1000 }, (_, i) => `"k${1000 * nth + i}":1`).join()}}`
const body = `{"email":[${Array.from({ length: 85 }, object).join()}]`

export default {
  name: '1,010 connections that send the head of a sign-in and one byte, then 85,000 keys',
  shows: 'A request counts as worked on once it is there, and is refused before its keys are read.',
  without: { max_body_values: 0, body_timeout: 0 },
  async attack({ url, signal, ready }) {
    const open = () => {
      const socket = dial(url).resume()
      socket.write(head)
      return socket
    }
    const sockets = Array.from({ length: 1010 }, open)
    for (const socket of sockets) socket.write('{')
    ready()
    for (let turn = 0; !signal.aborted; turn++) {
      await sleep(200)
      const late = open()
      late.write(body)
      late.end('}'.padEnd(1_000_000 - body.length))
      for (const [i, each] of sockets.entries()) if (each.destroyed) sockets[i] = open()
    }
    for (const socket of sockets) socket.destroy()
  },
} satisfies Scenario
