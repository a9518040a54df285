import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Mismatch } from './connector.ts'
import { openReceiver, verifyWebhook } from './receiver.ts'

const secret = `whsec_${Buffer.from('a secret that nobody else knows').toString('base64')}`
const text = '{"type":"company_created"}'

/** A webhook as the reference library of the scheme signs it. */
function signedNow(at = new Date()) {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(+at / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  }
  return { headers, text, body: JSON.parse(text) }
}

test('a webhook that the reference library signed is accepted', () => {
  verifyWebhook(signedNow(), secret)
})

test('one of several signatures is enough, while a secret is being replaced', () => {
  const arrived = signedNow()
  const other = `v1,${Buffer.alloc(32).toString('base64')}`
  arrived.headers['webhook-signature'] = `${other} ${arrived.headers['webhook-signature']}`
  verifyWebhook(arrived, secret)
})

test('another body, id, time, secret or scheme is refused', () => {
  const good = signedNow()
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`
  const wrong = [
    { ...good, text: `${text} ` },
    { ...good, headers: { ...good.headers, 'webhook-id': 'msg_2' } },
    { ...good, headers: { ...good.headers, 'webhook-signature': '' } },
    {
      ...good,
      headers: {
        ...good.headers,
        'webhook-signature': good.headers['webhook-signature'].replace('v1,', 'v2,'),
      },
    },
    { ...good, headers: { ...good.headers, 'webhook-timestamp': '' } },
    signedNow(new Date(Date.now() - 600_000)),
  ]
  for (const arrived of wrong) assert.throws(() => verifyWebhook(arrived, secret), Mismatch)
  assert.throws(() => verifyWebhook(good, other), Mismatch)
})

test('the receiver returns webhooks that have arrived or will arrive, and reports what it waited for in vain', async (t) => {
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${receiver.port}/hook`, { method: 'POST', body })
  assert.equal((await post('{"type":"a"}')).status, 204)
  const is = (type: string) => (arrived: { body: { type?: string } }) => arrived.body?.type === type
  assert.equal((await receiver.wait(is('a'), 'a', 1000)).text, '{"type":"a"}')
  const later = receiver.wait(is('b'), 'b', 5000)
  await post('no JSON')
  await post('{"type":"b"}')
  assert.equal((await later).text, '{"type":"b"}')
  await assert.rejects(receiver.wait(is('c'), 'a webhook c', 50), {
    expected: 'a webhook c within 0.05 s',
    got: 'a, undefined, b',
  })
})
