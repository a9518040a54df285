import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

const csv = `full_name,primary_email\n${Array.from(
  { length: 20_000 },
  (_, i) => `Imported Person ${i},imported${i}.${Math.random().toString(36).slice(2)}@noisy.test`,
).join('\n')}\n`

export default {
  name: '12 imports of 1.2 MB, and 40 changes of the same 300 tasks, at once',
  shows:
    'The writes of one organization leave connections to those of others, and sign-ins have their own.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { writes_per_organization: 0, sign_in_writers: 0, database_pool_jobs: 0 },
  async attack(attack) {
    const { url, noisy, signal, ready } = attack
    const { token } = noisy.users.admin
    const caller = callerOf(attack, 64, token)
    const upload = async () => {
      const form = new FormData()
      form.set('module', 'contacts')
      form.set('on_duplicate', 'update')
      form.set('start', 'true')
      form.set('file', new Blob([csv], { type: 'text/csv' }), 'people.csv')
      const headers = { authorization: `Bearer ${token}` }
      const request = { method: 'POST', headers, body: form, signal }
      await (await fetch(`${url}/api/imports/`, request)).arrayBuffer()
    }
    const item_ids: string[] = []
    for (let i = 0; i < 300; i++) {
      const { status, text } = await caller.send('POST', '/api/tasks/', { title: `Task ${i}` })
      if (status !== 201) throw new Error(text)
      item_ids.push((JSON.parse(text) as { item_id: string }).item_id)
    }
    const change = () => {
      const due_date = `2030-01-${String(1 + Math.floor(Math.random() * 28)).padStart(2, '0')}`
      const body = { action: 'update', item_ids, due_date }
      return caller.send('POST', '/api/tasks/bulk_actions/', body)
    }
    ready()
    await Promise.all([forever(attack, 40, change), forever(attack, 12, upload)])
  },
} satisfies Scenario
