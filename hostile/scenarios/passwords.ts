import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

export default {
  name: '200 sign-ins of one account at once, and wrong passwords for others',
  shows: 'Sign-ins of one account wait behind each other, and failures lock out their own address.',
  settings: {},
  without: { PASSWORD_HASHES: '0', PASSWORD_QUEUE_ACCOUNT: '0', PASSWORD_QUEUE_ADDRESS: '0' },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 200, headersTimeout: 60_000 })
    // another address of this machine than the bystander's
    const elsewhere = new Agent({ connections: 4, connect: { localAddress: '127.0.0.2' } })
    const send = async (from: Agent, email: string, password: string) => {
      const { statusCode, body } = await from.request({
        origin: url,
        path: '/api/login/',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
        signal,
      })
      await body.dump()
      // who is refused comes again at once, but not without end
      if (statusCode >= 400) await sleep(500)
    }
    const { admin, member } = noisy.users
    const forever = async (from: Agent, email: string, password: string) => {
      while (!signal.aborted) await send(from, email, password)
    }
    const all = [
      ...Array.from({ length: 200 }, () => forever(agent, admin.email, admin.password)),
      ...Array.from({ length: 4 }, () => forever(elsewhere, member.email, 'wrong')),
    ]
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
