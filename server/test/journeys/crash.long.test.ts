import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import type { World } from '../support/killed.ts'
import { answers, environment, freePort, idOf, makeWorld, startEngine } from '../support/killed.ts'
import { startServer } from '../support/program.ts'
import type { Receiver } from '../support/receiver.ts'
import { startReceiver, subscribe } from '../support/receiver.ts'
import type { Reply } from '../support/service.ts'
import { call, rows, sql } from '../support/service.ts'
import { patient, pause, until } from '../support/until.ts'

// Processes are killed in the middle of writes. Nothing that was acknowledged may be missing
// afterwards, no event may be undelivered, and what is delivered twice carries the same webhook-id.

test('kill -9 of the server during 2,000 writes loses nothing', async (t) => {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const world = await makeWorld(database, port)
  const serve = () => startServer({ ...environment(url), PORT: String(port) })
  let server = await serve()
  const [first, second] = await subscribeTwice(world)
  first.answer = () => pause(5, { status: 200 })

  let acknowledged = 0
  let killedAt = 0
  const writing = writeAll(world, 2000, () => {
    if (++acknowledged === 1000) {
      killedAt = performance.now()
      server.child.kill('SIGKILL')
    }
  })
  await server.ended
  server = await serve()
  const made = await writing

  assert.equal(new Set(made).size, 2000)
  await nothingIsMissing(world, made, [first, second])
  const slowest = Math.max(...[...first.arrivals, ...second.arrivals].map(({ at }) => at))
  const seconds = (slowest - (performance.timeOrigin + killedAt)) / 1000
  const repeats = first.arrivals.length + second.arrivals.length - 4000
  t.diagnostic(`the last one arrived ${seconds.toFixed(1)} s after the kill; ${repeats} came twice`)
})

test('the deliveries of a killed worker are taken over within 15 s', async (t) => {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const world = await makeWorld(database, port)
  const serve = () => startServer({ ...environment(url), PORT: String(port) })
  const server = await serve()
  const receiver = await startReceiver()
  await subscribe(world.app, 'company_created', receiver.url)
  receiver.answer = () => undefined
  await writeAll(world, 5)
  await receiver.arrived(5)
  // longer than half a lease, so that it has been renewed
  await pause(5000)
  server.child.kill('SIGKILL')
  const killed = Date.now()
  await server.ended
  receiver.answer = () => ({ status: 200 })
  await serve()
  const arrivals = await receiver.arrived(10)
  const took = arrivals.at(-1)!.at - killed
  t.diagnostic(`after ${took} ms`)
  assert.ok(took < 15_000, `${took} ms`)
  assert.equal(new Set(arrivals.map(({ text }) => text)).size, 5)
})

test('while PostgreSQL is killed callers only see 503, and soon the service works again', async (t) => {
  const engine = await startEngine()
  const port = await freePort()
  const world = await makeWorld(engine.database, port)
  await startServer({ ...environment(engine.url), PORT: String(port) })
  const receivers = await subscribeTwice(world)

  const outages = [
    async () => {
      // the embedded engine brings itself back after a kill
      process.kill(postmaster(engine.dataDir, engine.systemDir), 'SIGKILL')
    },
    async () => {
      await engine.stop()
      await pause(1500)
      await engine.start()
    },
  ]
  let isDone = false
  const seen = new Map<number, number>()
  const made: string[] = []
  const succeeded: number[] = []
  const failed: number[] = []
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !isDone; i++) {
      const reply = await writeOnce(world, `Company ${writer} ${i}`)
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
      if (reply.status < 300) {
        made.push(idOf(reply))
        succeeded.push(performance.now())
      } else {
        assert.equal(reply.body.code, 'unavailable', reply.text)
        assert.ok(Number(reply.headers.get('retry-after')) > 0)
        failed.push(performance.now())
        await pause(20)
      }
    }
  })
  for (const outage of outages) {
    await moreThan(made, made.length + 100)
    const begun = performance.now()
    await outage()
    // a database that was killed may still answer for a moment
    await until(() => failed.some((at) => at > begun), 90)
    await answers(engine.url)
    const back = performance.now()
    await moreThan(succeeded, succeeded.length)
    const took = succeeded.find((at) => at > back)! - back
    t.diagnostic(`writing again ${Math.round(took)} ms after the database was back`)
    assert.ok(took < 2000, `${took} ms`)
  }
  await moreThan(made, made.length + 100)
  isDone = true
  await Promise.all(writers)
  t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(seen))}`)
  for (const status of seen.keys()) assert.ok([200, 201, 503].includes(status), String(status))
  await nothingIsMissing(world, made, receivers)
})

async function subscribeTwice({ app }: World): Promise<[Receiver, Receiver]> {
  const receivers = [await startReceiver(), await startReceiver()] as const
  for (const { url } of receivers) await subscribe(app, 'company_created', url)
  return [...receivers]
}

/** Makes companies on both surfaces until all are acknowledged; gives their ids. */
async function writeAll(world: World, count: number, onAcknowledged = () => {}): Promise<string[]> {
  const made: string[] = []
  const patience = patient()
  let next = 0
  const writers = Array.from({ length: 16 }, async () => {
    while (next < count) {
      const name = `Company ${next++}`
      for (;;) {
        patience()
        // without an answer nobody knows: the same key again finds out
        const reply = await writeOnce(world, name).catch(() => undefined)
        if (reply && reply.status < 300) {
          made.push(idOf(reply))
          onAcknowledged()
          break
        }
        if (reply) assert.ok([409, 503].includes(reply.status), reply.text)
        await pause(20)
      }
    }
  })
  await Promise.all(writers)
  return made
}

function writeOnce({ org, app, url }: World, company_name: string): Promise<Reply> {
  const headers = { 'idempotency-key': company_name }
  const body = { company_name }
  if (/[02468]$/.test(company_name))
    return app.call('POST', '/automation/company', { body, headers })
  const { token } = org.users.admin
  return call(url, 'POST', '/api/company/', { token, body, headers })
}

/** Every acknowledged record is there, every record was delivered to both, and repeats are the same. */
async function nothingIsMissing({ service }: World, made: string[], receivers: Receiver[]) {
  const stored = (await rows<{ id: string }>(service, sql`select id from companies`)).map(
    ({ id }) => id,
  )
  const there = new Set(stored)
  for (const id of made) assert.ok(there.has(id), `${id} was acknowledged and is gone`)
  for (const receiver of receivers) {
    const delivered = () =>
      new Set(receiver.arrivals.map(({ json }) => json.data.company_id as string))
    await receiver.arrived(stored.length, () => true)
    while (delivered().size < stored.length) await receiver.arrived(receiver.arrivals.length + 1)
    assert.deepEqual([...delivered()].toSorted(), stored.toSorted())
    const texts = new Map<string, string>()
    for (const { headers, text } of receiver.arrivals) {
      const id = String(headers['webhook-id'])
      assert.equal(text, texts.get(id) ?? text, 'a repeat differs')
      texts.set(id, text)
    }
    assert.equal(texts.size, stored.length, 'one event went out under two ids')
  }
}

/** The process of a cluster's server, wherever the embedded engine keeps it. */
function postmaster(...folders: string[]): number {
  const file = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .find((name) => name.endsWith('postmaster.pid'))
  return Number(readFileSync(file!, 'utf8').split('\n')[0])
}

/** Resolves when the database takes a connection and answers. */
function moreThan(list: unknown[], count: number) {
  return until(() => list.length > count, 90)
}
