import { Agent } from 'undici'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'a document that is given 100 MB of unknown keys',
  shows: 'What a record holds beside its fields is bounded, however it comes together.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: { MAX_CUSTOM_FIELDS_BYTES: '0', MAX_CUSTOM_FIELDS_KEYS: '0', MAX_RESULT_BYTES: '0' },
  async attack({ url, noisy, signal, ready }) {
    const agent = new Agent({ connections: 4, headersTimeout: 60_000 })
    const headers = {
      authorization: `Bearer ${noisy.users.admin.token}`,
      'content-type': 'application/json',
    }
    const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
      const text = JSON.stringify(body)
      const response = await agent.request({
        origin: url,
        path,
        method,
        headers,
        body: text,
        signal,
      })
      return { status: response.statusCode, text: await response.body.text() }
    }
    const made = await send('POST', '/api/documents/', { document: { document_name: 'Keys' } })
    if (made.status !== 201) throw new Error(made.text)
    const { attach_id } = JSON.parse(made.text) as { attach_id: string }
    let turn = 0
    const grow = async () => {
      while (!signal.aborted) {
        const keys = Array.from({ length: 400 }, (_, i) => [`key ${turn} ${i}`, 'x'.repeat(2200)])
        turn++
        await send('PUT', `/api/documents/${attach_id}/`, Object.fromEntries(keys) as object)
      }
    }
    const all = Array.from({ length: 4 }, grow)
    ready()
    await Promise.all(all)
  },
} satisfies Scenario
