import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, environment, freePort, makeWorld, startEngine } from '../support/killed.ts'
import { startServer } from '../support/program.ts'
import { call } from '../support/service.ts'
import { patient, pause } from '../support/until.ts'

/** Restarts that are measured. */
const restarts = 3
/** A machine that others keep busy takes some times as long as one at rest, in milliseconds. */
const bound = 10_000

test('writes are back as soon as PostgreSQL takes connections again', async (t) => {
  const engine = await startEngine()
  const port = await freePort()
  const world = await makeWorld(engine.database, port)
  const { token } = world.org.users.admin
  const { url } = await startServer({ ...environment(engine.url), PORT: String(port) })
  let named = 0
  const write = async () => {
    const body = { company_name: `Acme ${++named}` }
    const { status } = await call(url, 'POST', '/api/company/', { token, body })
    assert.ok([200, 503].includes(status), String(status))
    return status === 200
  }
  assert.ok(await write())
  const figures: number[] = []
  for (let i = 0; i < restarts; i++) {
    await engine.stop()
    // callers go on meanwhile, as many as there are connections
    let isBack = false
    let writtenAt = 0
    const writers = Array.from({ length: 12 }, async () => {
      const patience = patient()
      while (!isBack) {
        patience()
        if (await write()) {
          isBack = true
          writtenAt ||= performance.now()
        } else await pause(20)
      }
    })
    await pause(1500)
    const connected = answers(engine.url)
    await engine.start()
    const connectedAt = await connected
    await Promise.all(writers)
    figures.push(Math.max(0, Math.round(writtenAt - connectedAt)))
  }
  t.diagnostic(`writes were back ${figures.join(', ')} ms after the first plain connection`)
  assert.ok(Math.min(...figures) < bound, figures.join(', '))
})
