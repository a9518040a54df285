import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Message } from './message.ts'
import { bodyOf, headersOf } from './message.ts'
import { newSecret } from './signature.ts'

const message: Message = {
  id: 'd1',
  event_id: 'e1',
  type: 'company_updated',
  occurred_at: '2026-03-01T10:00:00.000Z',
  subscription_id: 's1',
  organization_id: 'o1',
  source: 'application',
  actor_type: 'user',
  actor_id: 'u1',
  actor_name: 'Ada "A" Admin',
  data: '{"company_id":"c1","estimated_arr":1.5,"custom_fields":{"version":9}}',
  record_version: 7,
  changes: '[{"field":"domain","from":null,"to":"a.test"},{"field":"__proto__","from":1,"to":2}]',
}

test('the body has its keys in one order and the record as it was stored, written compactly', () => {
  assert.equal(
    bodyOf(message),
    '{"id":"d1","event_id":"e1","type":"company_updated","timestamp":"2026-03-01T10:00:00.000Z",' +
      '"subscription_id":"s1","organization_id":"o1","source":"application",' +
      '"actor":{"type":"user","id":"u1","full_name":"Ada \\"A\\" Admin"},' +
      '"data":{"company_id":"c1","estimated_arr":1.5,"custom_fields":{"version":9},"version":7},' +
      '"changes":{"changed_fields":["domain","__proto__"],"from":{"domain":null,"__proto__":1},' +
      '"to":{"domain":"a.test","__proto__":2}}}',
  )
})

test('a record with a version of its own keeps it beside that of the record, an empty one gets one, none at all is null', () => {
  const data = (text: string | null) => JSON.parse(bodyOf({ ...message, data: text })).data
  assert.deepEqual(data('{"version":3,"a":1}'), { version: 3, a: 1, record_version: 7 })
  assert.deepEqual(data('{}'), { version: 7 })
  assert.equal(data(null), null)
})

test('without changes the lists are present and empty', () => {
  const { changes } = JSON.parse(bodyOf({ ...message, changes: null }))
  assert.deepEqual(changes, { changed_fields: [], from: {}, to: {} })
})

test('the headers satisfy the standard, with an old secret and with a new one', () => {
  const [old, current] = [newSecret(), newSecret()]
  const body = bodyOf(message)
  const headers = headersOf('d1', body, [current, old], new Date())
  for (const secret of [old, current]) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
  }
  assert.throws(() => new Webhook(newSecret()).verify(body, headers))
})
