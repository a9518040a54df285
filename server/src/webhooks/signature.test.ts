import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { newSecret, sign } from './signature.ts'

const now = () => Math.floor(Date.now() / 1000)

const headers = (id: string, timestamp: number, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

test('a new secret is whsec_ and 24 random bytes in base64', () => {
  const secret = newSecret()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 24)
  assert.notEqual(newSecret(), secret)
})

test('the signature equals the example of the Standard Webhooks specification', () => {
  const signature = sign({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('the standardwebhooks package verifies whatever body is signed, as text and as bytes', () => {
  fc.assert(
    fc.property(fc.json(), fc.stringMatching(/^[\w-]{1,30}$/), (body, id) => {
      const secret = newSecret()
      const timestamp = now()
      for (const form of [body, Buffer.from(body)]) {
        const signature = sign({ id, timestamp, body: form, secrets: [secret] })
        const verified = new Webhook(secret).verify(body, headers(id, timestamp, signature))
        assert.deepEqual(verified, JSON.parse(body))
      }
    }),
  )
})

test('during a rotation the holder of either secret can verify, and nobody else', () => {
  const [before, after] = [newSecret(), newSecret()]
  const timestamp = now()
  const body = '{"type":"company_created"}'
  const signature = sign({ id: 'msg_1', timestamp, body, secrets: [after, before] })

  assert.match(signature, /^v1,\S+ v1,\S+$/)
  for (const secret of [before, after]) {
    new Webhook(secret).verify(body, headers('msg_1', timestamp, signature))
  }
  assert.throws(() => new Webhook(newSecret()).verify(body, headers('msg_1', timestamp, signature)))
})

test('a changed body, id or timestamp no longer verifies', () => {
  const secret = newSecret()
  const timestamp = now()
  const signature = sign({ id: 'msg_1', timestamp, body: '{"a":1}', secrets: [secret] })
  const verify = (body: string, id: string, at: number) => () =>
    new Webhook(secret).verify(body, headers(id, at, signature))

  verify('{"a":1}', 'msg_1', timestamp)()
  assert.throws(verify('{"a":2}', 'msg_1', timestamp))
  assert.throws(verify('{"a":1}', 'msg_2', timestamp))
  assert.throws(verify('{"a":1}', 'msg_1', timestamp + 1))
})

test('nothing is signed without a secret, with an empty one, or at a fraction of a second', () => {
  const message = { id: 'msg_1', timestamp: 1, body: '{}' }
  assert.throws(() => sign({ ...message, secrets: [] }), /at least one secret/)
  assert.throws(() => sign({ ...message, secrets: ['whsec_'] }), /base64 key/)
  assert.throws(() => sign({ ...message, timestamp: 1.5, secrets: [newSecret()] }), /whole seconds/)
})
