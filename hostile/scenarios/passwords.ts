import { setTimeout as sleep } from 'node:timers/promises'
import { password } from '../../server/test/support/organization.ts'
import type { Caller } from '../caller.ts'
import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

export default {
  name: '200 sign-ins of one account at once, and wrong passwords for others',
  shows: 'Sign-ins of one account wait behind each other, and failures lock out their own address.',
  without: { password_hashes: 0, password_queue_account: 0, password_queue_address: 0 },
  async attack(attack) {
    const { admin, member } = attack.noisy.users
    const right = callerOf(attack, 200)
    // another address than that of the valid sign-ins
    const wrong = callerOf(attack, 4, undefined, '127.0.0.2')
    const signIn = async (caller: Caller, email: string, tried: string) => {
      const { status } = await caller.send('POST', '/api/login/', { email, password: tried })
      // refused requests are repeated at once, but not endlessly
      if (status >= 400) await sleep(500)
    }
    attack.ready()
    await Promise.all([
      forever(attack, 200, () => signIn(right, admin.email, password)),
      forever(attack, 4, () => signIn(wrong, member.email, 'wrong')),
    ])
  },
} satisfies Scenario
