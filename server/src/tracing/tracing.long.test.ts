import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { environment, freePort, makeWorld } from '../../test/support/killed.ts'
import { runProgram, startServer } from '../../test/support/program.ts'
import { startReceiver, subscribe } from '../../test/support/receiver.ts'
import { call } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { nameOf } from './statement-name.ts'

type Value = { stringValue?: string; intValue?: number }
type Attribute = { key: string; value: Value }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  startTimeUnixNano: string
  endTimeUnixNano: string
}
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

/** A collector that takes OTLP over HTTP as JSON; `isSilent` never answers. */
async function startCollector(isSilent = false) {
  const texts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      assert.equal(request.url, '/v1/traces')
      texts.push(Buffer.concat(chunks).toString())
      if (!isSilent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const exports = () => texts.map((text) => JSON.parse(text) as Export)
  const resources = () => exports().flatMap(({ resourceSpans }) => resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    spans: () => resources().flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => resources()[0]!.resource.attributes,
  }
}

function valueOf(attributes: Attribute[], key: string): string | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value && String(value.stringValue ?? value.intValue)
}

/** Writes to standard error when a process loads OpenTelemetry's SDK. */
const printsLoaded = `--import "data:text/javascript,import{registerHooks}from'node:module';registerHooks({load(url,context,next){if(/opentelemetry.sdk-trace-base.build.src.index/.test(url))process.stderr.write('loaded');return%20next(url,context)}})"`

const fast = { OTEL_BSP_SCHEDULE_DELAY: '50' }

async function world(settings: { [name: string]: string }) {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const made = await makeWorld(database, port)
  const server = await startServer({
    ...environment(url),
    PORT: String(port),
    ...settings,
  })
  const { token } = made.org.users.admin
  const create = (company_name: string, headers = {}) =>
    call(server.url, 'POST', '/api/company/', { token, body: { company_name }, headers })
  return { ...made, server, create }
}

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let traced: Awaited<ReturnType<typeof world>>

  before(async () => {
    collector = await startCollector()
    traced = await world({
      ...fast,
      NODE_OPTIONS: printsLoaded,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'crm of the test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial',
    })
  })

  test('have spans of requests, their statements, jobs and deliveries, and no value of any', async () => {
    const { app, org, create } = traced
    const receiver = await startReceiver()
    await subscribe(app, 'company_created', `${receiver.url}/with-a-secret-path`)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    assert.equal((await create('Very Private Company', { traceparent })).status, 200)
    const [arrival] = await receiver.arrived(1)
    assert.equal(arrival!.headers['traceparent'], undefined)

    const named = (name: string) => collector.spans().find((span) => span.name === name)
    await until(() => Boolean(named('POST /api/company/') && named('POST webhook')))
    const request = named('POST /api/company/')!
    assert.equal(request.traceId, traceId)
    assert.equal(request.parentSpanId, '00f067aa0ba902b7')
    assert.equal(valueOf(request.attributes, 'http.route'), '/api/company/')
    assert.equal(valueOf(request.attributes, 'http.response.status_code'), '200')
    assert.equal(valueOf(request.attributes, 'perennial.operation'), 'create_company')
    const statements = collector
      .spans()
      .filter(({ parentSpanId }) => parentSpanId === request.spanId)
    const insert = statements.find(({ name }) => name === 'INSERT companies')
    assert.ok(insert, statements.map(({ name }) => name).join(', '))
    assert.equal(valueOf(insert.attributes, 'db.system.name'), 'postgresql')
    assert.ok(BigInt(insert.endTimeUnixNano) > BigInt(insert.startTimeUnixNano))
    const delivery = named('POST webhook')!
    assert.equal(valueOf(delivery.attributes, 'server.address'), '127.0.0.1')
    assert.equal(valueOf(delivery.attributes, 'http.response.status_code'), '200')
    assert.notEqual(delivery.traceId, traceId)
    assert.equal(valueOf(collector.resource(), 'service.name'), 'crm of the test')
    assert.equal(valueOf(collector.resource(), 'deployment.environment.name'), 'trial')
    const all = collector.texts.join('\n')
    const { admin } = org.users
    for (const secret of ['Very Private', 'with-a-secret', org.id, admin.user_id, admin.token]) {
      assert.ok(!all.includes(secret), secret)
    }
  })

  test('of jobs have their statements below them', async () => {
    const { org, server } = traced
    const { email } = org.users.admin
    await call(server.url, 'POST', '/api/login/reset/', { body: { email } })
    const job = () => collector.spans().find(({ name }) => name.startsWith('job '))
    await until(() => Boolean(job()))
    assert.ok(collector.spans().some(({ parentSpanId }) => parentSpanId === job()!.spanId))
  })

  test('do not hold up requests or a stop when the collector never answers', async () => {
    const collector = await startCollector(true)
    const { server, create } = await world({
      ...fast,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_MAX_QUEUE_SIZE: '16',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '8',
    })
    for (let i = 0; i < 100; i++) assert.equal((await create(`Company ${i}`)).status, 200)
    await until(() => collector.texts.length > 0)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.ok(collector.spans().length < 100, `${collector.spans().length} were not dropped`)
  })

  test('load nothing and listen to nothing when no collector is named', async () => {
    const { server, create } = await world({ NODE_OPTIONS: printsLoaded })
    assert.equal((await create('Acme')).status, 200)
    assert.ok(!server.err().includes('loaded'), server.err())
    assert.ok(traced.server.err().includes('loaded'), 'the check finds what is loaded')
    const off = await world({
      NODE_OPTIONS: printsLoaded,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SDK_DISABLED: 'true',
    })
    assert.ok(!off.server.err().includes('loaded'), off.server.err())
  })

  test('are refused at the start in one sentence where a setting is wrong', async () => {
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ] as const) {
      const { status, err } = await runProgram(['serve'], { [name]: value })
      assert.equal(status, 1)
      assert.match(err, new RegExp(`^perennial: ${name} must be .*\\n$`))
    }
  })
})

test('a statement is named by what it does to which table', () => {
  const cases: [text: string, name: string][] = [
    ['select a from contacts t where t.id = $1 for update', 'SELECT contacts'],
    ['select $1', 'SELECT undefined'],
    ['with x as (select 1 from y) insert into events (id) select 1', 'INSERT events'],
    ['insert into a (b) values ($1) on conflict do update set b = 1', 'INSERT a'],
    ['update tasks set x = $1', 'UPDATE tasks'],
    ['delete from sessions where id = $1', 'DELETE sessions'],
    ['with x as (select 1 from y) select * from x', 'SELECT y'],
  ]
  for (const [text, name] of cases) {
    const { operation, table } = nameOf(text)
    assert.equal(`${operation} ${table}`, name, text)
  }
})
