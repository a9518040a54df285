import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'a document with 100 MB of unknown keys',
  shows: 'What a record holds beside its fields is bounded, however it comes together.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    max_custom_fields_bytes: 0,
    max_custom_fields_keys: 0,
    max_result_bytes: 0,
    body_loop_percent: 0,
  },
  async attack(attack) {
    const caller = callerOf(attack, 4, attack.noisy.users.admin.token)
    const body = { document: { document_name: 'Keys' } }
    const made = await caller.send('POST', '/api/documents/', body)
    if (made.status !== 201) throw new Error(made.text)
    const { attach_id } = JSON.parse(made.text) as { attach_id: string }
    let turn = 0
    attack.ready()
    await forever(attack, 4, () => {
      const keys = Array.from({ length: 400 }, (_, i) => [`key ${turn} ${i}`, 'x'.repeat(2200)])
      turn++
      return caller.send('PUT', `/api/documents/${attach_id}/`, Object.fromEntries(keys) as object)
    })
  },
} satisfies Scenario
