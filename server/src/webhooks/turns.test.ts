import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Runtime } from '../runtime.ts'
import { newWorker } from './deliver.ts'
import type { Transport } from './transport.ts'

test('one delivery of an organization does not wait behind the hundreds of another', async () => {
  const busy = { inFlight: 1, waiting: 0, busy: 0, idle: 0 }
  const runtime = {
    config: { webhookConcurrency: 0, webhookOrganizationConcurrency: 0 },
    database: {
      listen() {},
      state: () => ({ readers: busy, writers: busy, heavyReaders: busy }),
    },
  } as unknown as Runtime
  const worker = newWorker(runtime, {} as Transport)
  worker.state = 'running'
  worker.inFlight = 300
  const order: string[] = []
  const send = async (organization: string) => {
    await worker.turn(organization)
    order.push(organization)
  }
  const many = Array.from({ length: 300 }, () => send('many'))
  await Promise.all([send('few'), ...many])
  assert.ok(order.indexOf('few') <= 2, `after ${order.indexOf('few')} others`)
})
