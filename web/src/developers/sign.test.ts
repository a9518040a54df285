import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { consentAddress, curlLine, signatureOf, signedHeaders } from './sign.ts'

test('a signature is the HMAC of client id and time, in hex', async () => {
  const expected = createHmac('sha256', 'sécret').update('app_1:1700000000').digest('hex')
  assert.equal(await signatureOf('app_1', 'sécret', 1_700_000_000), expected)
})

test('the headers carry the seconds that are signed', async () => {
  const credentials = {
    clientId: 'app_1',
    clientSecret: 's',
    functionKey: 'k',
    accessToken: 't',
  }
  const headers = await signedHeaders(credentials, 1_700_000_000_999)
  assert.deepEqual(headers, {
    authorization: 'Bearer t',
    'x-oauth-timestamp': '1700000000',
    'x-oauth-signature': await signatureOf('app_1', 's', 1_700_000_000),
    'x-functions-key': 'k',
  })
})

test('a curl line quotes what a shell would read', () => {
  assert.equal(
    curlLine('http://a/b?c=1&d', 'POST', { x: "it's" }, '{"a":1}'),
    `curl -X POST 'http://a/b?c=1&d' \\\n  -H 'x: it'\\''s' \\\n  --data '{"a":1}'`,
  )
})

test('the address of consent names the app, where it leads back, and its signature', async () => {
  const app = { clientId: 'app_1', clientSecret: 's' }
  const address = await consentAddress(app, 'http://a/b?c', 'xyz', 1_700_000_000_000)
  const query = new URLSearchParams(address.slice(address.indexOf('?')))
  assert.equal(query.get('redirect_uri'), 'http://a/b?c')
  assert.equal(query.get('state'), 'xyz')
  assert.equal(query.get('signature'), await signatureOf('app_1', 's', 1_700_000_000))
})
