import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { Agent } from 'undici'
import { atEnd } from '../test/support/finally.ts'
import { openIdClient } from './openid.ts'

test('what providers say of themselves is cached up to so many bytes together', async () => {
  let requests = 0
  let filler = ''
  const server = createServer((_request, response) => {
    requests++
    const description = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      filler,
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(description))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = new Agent()
  atEnd(async () => {
    await agent.close()
    await new Promise((resolve) => server.close(resolve))
  })
  const client = openIdClient(agent, pino({ level: 'silent' }))
  const providerOf = (n: number) => ({ issuer, client_id: `client ${n}`, client_secret: 'secret' })
  const flow = { redirect_uri: `${issuer}/back`, state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
  const requestsToBegin = async () => {
    const before = requests
    await client.begin(providerOf(0), flow)
    return requests - before
  }
  for (let n = 0; n < 20; n++) await client.check(providerOf(n))
  assert.equal(await requestsToBegin(), 0)
  filler = 'x'.repeat(240 * 1024)
  for (let n = 1; n < 20; n++) await client.check(providerOf(n))
  assert.equal(await requestsToBegin(), 1)
  filler = 'x'.repeat(256 * 1024)
  await assert.rejects(client.check(providerOf(0)), { status: 400 })
})
