import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { dial, request } from '../sockets.ts'

export default {
  name: '20 connections of 100 pipelined requests each whose answers are never read',
  shows: 'Answers that nobody reads take up no work and little memory, and end their connection.',
  without: { max_pipelined: 0, max_unread_mib: 0, answer_timeout: 0 },
  settings: { RATE_LIMIT_APPLICATION: '0' },
  async attack({ url, noisy, signal, ready }) {
    // more than the system buffers, so that the answers wait in the service
    const document = request('GET', '/openapi.json')
    const list = request('GET', '/api/contact/?page=1&items_per_page=500', noisy.users.admin.token)
    const open = () => {
      const socket = dial(url).pause()
      socket.write(document.repeat(10) + list.repeat(90))
      return socket
    }
    const sockets = Array.from({ length: 20 }, open)
    ready()
    while (!signal.aborted) {
      for (const [i, socket] of sockets.entries()) if (socket.destroyed) sockets[i] = open()
      await sleep(100)
    }
    for (const socket of sockets) socket.destroy()
  },
} satisfies Scenario
