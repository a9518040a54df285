import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../test/support/finally.ts'
import { connectApp } from '../../test/support/integration.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { makeTransport, postTo, targetPolicy } from './transport.ts'

/** A service of the operator's own, on a loopback port, that answers with what is nobody's business. */
async function internalService() {
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.end('root password: hunter2')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

test('loopback is open to an installation that listens there and is reached there', () => {
  const policyOf = (env: { [name: string]: string }) => targetPolicy(readConfig(env))
  const development: { [name: string]: string }[] = [
    {},
    { HOST: '::1' },
    { HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://[::1]:3000' },
  ]
  for (const env of development) {
    assert.equal(policyOf(env).allowLoopbackHttp, true, JSON.stringify(env))
  }
  const others: { [name: string]: string }[] = [
    // behind a proxy on the same machine
    { PUBLIC_URL: 'https://crm.example.com' },
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://crm.localdomain' },
    { PUBLIC_URL: 'https://localhost.example.com' },
    { HOST: '0.0.0.0' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
  ]
  for (const env of others) {
    assert.equal(policyOf(env).allowLoopbackHttp, false, JSON.stringify(env))
  }
})

test('behind a proxy no webhook test reads from a loopback port, nor is one subscribed', async () => {
  const internal = await internalService()
  const service = await startService({ host: '127.0.0.1', publicUrl: 'https://crm.example.com' })
  const app = await connectApp(service, await makeOrganization(service))
  for (const url of [internal.url, internal.url.replace('127.0.0.1', 'localhost')]) {
    const body = { url, event: 'company_created', events: ['company_created'] }
    for (const path of ['/webhook/test', '/webhook/subscribe']) {
      const reply = await app.call('POST', path, { body })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, 'url')
      assert.doesNotMatch(reply.text, /hunter2/)
    }
  }
  assert.equal(internal.requests(), 0)
})

test('what a host of the operator’s own network answers is not passed on', async () => {
  const internal = await internalService()
  const request = { url: internal.url, headers: {}, body: '{}' }
  const open = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' }
  for (const url of [internal.url, internal.url.replace('127.0.0.1', 'localhost')]) {
    const config = readConfig({ ...open, PUBLIC_URL: 'https://crm.example.com' })
    const transport = makeTransport(config)
    atEnd(() => transport.agent.destroy())
    // over a connection that is kept open, too
    for (let i = 0; i < 2; i++) {
      const result = await postTo(transport, { ...request, url })
      assert.deepEqual([result.status, result.responseExcerpt], [200, ''])
    }
  }

  const development = makeTransport(readConfig({}))
  atEnd(() => development.agent.destroy())
  assert.match((await postTo(development, request)).responseExcerpt, /hunter2/)
})
