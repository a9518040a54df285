import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../test/support/finally.ts'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Receiver } from '../../test/support/receiver.ts'
import { startReceiver, subscribe } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import type { Config } from '../config.ts'

const slowMs = 5000
const hosts = 30

test('slow hosts of one organization hold up no other organization, and do without the bound', async () => {
  const bound = { webhookConcurrency: 40, webhookOrganizationConcurrency: 15 }
  const { quiet, attacked } = await latencies(bound, 15)
  assert.ok(attacked < 3 * quiet + 200, `${attacked} ms under attack, ${quiet} ms before`)

  const unbounded = await latencies({ ...bound, webhookOrganizationConcurrency: 0 }, 40)
  assert.ok(unbounded.attacked > slowMs / 5, `${unbounded.attacked} ms without the bound`)
})

/**
 * How long a delivery takes, in ms: in the median alone, and the first one once so many requests to
 * another organization's slow hosts are in flight.
 */
async function latencies(config: Partial<Config>, inFlight: number) {
  const service = await startService({ ...config, webhookHostRate: 0, webhookHostConcurrency: 4 })
  const receiver = await startReceiver()
  const bystander = await organization(service)
  await subscribe(bystander.app, 'company_created', receiver.url)
  await latency(bystander, receiver, 3)
  const quiet = await latency(bystander, receiver, 7)

  const noisy = await organization(service)
  const slow = await slowHosts()
  for (let i = 0; i < hosts; i++)
    await subscribe(noisy.app, 'company_created', `http://127.0.2.${i + 1}:${slow.port}/`)
  for (let i = 0; i < 12; i++) await noisy.write()
  await slow.reached(inFlight)
  const attacked = await latency(bystander, receiver, 1)
  return { quiet, attacked }
}

type Neighbour = { org: TestOrganization; app: ConnectedApp; write(): Promise<void> }

async function organization(service: TestService): Promise<Neighbour> {
  const org = await makeOrganization(service)
  const app = await connectApp(service, org)
  let n = 0
  return {
    org,
    app,
    async write() {
      const body = { company_name: `Company ${n++}` }
      const reply = await service.call('POST', '/api/company/', {
        token: org.users.admin.token,
        body,
      })
      assert.equal(reply.status, 200, reply.text)
    },
  }
}

async function latency({ write }: Neighbour, receiver: Receiver, times: number): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const before = receiver.arrivals.length
    const begun = performance.now()
    await write()
    await receiver.arrived(before + 1)
    took.push(performance.now() - begun)
  }
  return took.toSorted((a, b) => a - b)[Math.floor(times / 2)]!
}

/** A port on which every address of this machine answers after some seconds. */
async function slowHosts() {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    request.resume()
    setTimeout(() => response.writeHead(200).end(), slowMs).unref()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    async reached(count: number) {
      while (requests < count) await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal(requests, count)
    },
  }
}
