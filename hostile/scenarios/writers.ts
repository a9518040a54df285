import { Agent } from 'undici'
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
  without: { WRITES_PER_ORGANIZATION: '0', SIGN_IN_WRITERS: '0', JOB_WRITERS: '0' },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 64, headersTimeout: 60_000 })
    const authorization = `Bearer ${noisy.users.admin.token}`
    const send = async (path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const text = JSON.stringify(body)
      const request = { origin: url, path, method: 'POST' as const, headers, body: text, signal }
      const response = await agent.request(request)
      return { status: response.statusCode, text: await response.body.text() }
    }
    const upload = async () => {
      const form = new FormData()
      form.set('module', 'contacts')
      form.set('on_duplicate', 'update')
      form.set('start', 'true')
      form.set('file', new Blob([csv], { type: 'text/csv' }), 'people.csv')
      const reply = await fetch(`${url}/api/imports/`, {
        method: 'POST',
        headers: { authorization },
        body: form,
        signal,
      })
      await reply.arrayBuffer()
    }
    const item_ids: string[] = []
    for (let i = 0; i < 300; i++) {
      const { status, text } = await send('/api/tasks/', { title: `Task ${i}` })
      if (status !== 201) throw new Error(text)
      item_ids.push((JSON.parse(text) as { item_id: string }).item_id)
    }
    const again = async (work: () => Promise<unknown>) => {
      while (!signal.aborted) await work()
    }
    const change = () => {
      const due_date = `2030-01-${String(1 + Math.floor(Math.random() * 28)).padStart(2, '0')}`
      return send('/api/tasks/bulk_actions/', { action: 'update', item_ids, due_date })
    }
    const all = [
      ...Array.from({ length: 40 }, () => again(change)),
      ...Array.from({ length: 12 }, () => again(upload)),
    ]
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
