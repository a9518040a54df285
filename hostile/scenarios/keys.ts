import { callerOf, forever } from '../caller.ts'
import type { Scenario } from '../scenario.ts'

export default {
  name: 'a document with 100 MB of unknown keys',
  shows: 'What a record holds beside its fields is bounded, however it comes together.',
  settings: { RATE_LIMIT_APPLICATION: '0' },
  without: {
    MAX_CUSTOM_FIELDS_BYTES: '0',
    MAX_CUSTOM_FIELDS_KEYS: '0',
    MAX_RESULT_BYTES: '0',
    BODY_LOOP_PERCENT: '0',
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
