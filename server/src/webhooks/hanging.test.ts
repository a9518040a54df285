import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectApp } from '../../test/support/integration.ts'
import { startReceiver, subscribe } from '../../test/support/receiver.ts'
import { makeOrganization, rows, startService } from '../../test/support/service.ts'
import { sql } from '../kit/ground/sql.ts'

test('receivers that hang at their first request do not delay others on their host until they time out', async () => {
  const places = 6
  const service = await startService({ webhookHostRate: 0, webhookHostConcurrency: places })
  const receiver = await startReceiver()
  const recovered = Promise.withResolvers<void>()
  receiver.answer = async ({ path }) => {
    if (path.startsWith('/hang')) await recovered.promise
    return { status: 200 }
  }
  const org = await makeOrganization(service)
  const app = await connectApp(service, org)
  for (let i = 0; i < 2 * places; i++) {
    await subscribe(app, 'company_created', `${receiver.url}/hang${i}`)
    await subscribe(app, 'company_created', `${receiver.url}/good${i}`)
  }
  const body = { company_name: 'Acme', industry: 'Retail' }
  const reply = await app.call('POST', '/automation/company', { body })
  assert.equal(reply.status, 201, reply.text)

  const isGood = ({ path }: { path: string }) => path.startsWith('/good')
  const good = await receiver.arrived(2 * places, isGood)
  assert.equal(new Set(good.map(({ path }) => path)).size, 2 * places)
  const hanging = await rows<{ status: string; attempts: number }>(
    service,
    sql`select d.status, d.attempts from deliveries d
      join subscriptions s on s.organization_id = d.organization_id and s.id = d.subscription_id
      where d.organization_id = ${org.id} and s.url like '%/hang%'`,
  )
  assert.equal(hanging.length, 2 * places)
  // none has timed out: what was broken off counts as no attempt, and waits for its next one
  assert.ok(
    hanging.every(({ status, attempts }) => status === 'pending' && attempts === 0),
    JSON.stringify(hanging),
  )
  // and is sent again, with the same id
  recovered.resolve()
  const hung = await receiver.arrived(2 * places + 1, ({ path }) => path.startsWith('/hang'))
  const ids = hung.map(({ headers }) => String(headers['webhook-id']))
  assert.ok(new Set(ids).size < ids.length)
  const paths = () => new Set(receiver.arrivals.map(({ path }) => path))
  while (paths().size < 4 * places) await receiver.arrived(receiver.arrivals.length + 1)
})
