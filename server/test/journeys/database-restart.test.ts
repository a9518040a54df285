import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { silent } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { environment, freePort, makeWorld } from '../support/killed.ts'
import { freshFolder, startServer } from '../support/program.ts'
import { call } from '../support/service.ts'
import { patient, pause } from '../support/until.ts'

/** Restarts that are measured. */
const restarts = 3
/** A machine that others keep busy takes some times as long as one at rest, in milliseconds. */
const bound = 10_000

test('writes are back as soon as PostgreSQL takes connections again', async (t) => {
  const dataDir = join(freshFolder(), 'data')
  const systemDir = join(freshFolder(), 'system')
  // as root the server runs as another user, who must be able to enter
  chmodSync(dirname(systemDir), 0o755)
  const start = () => startEmbedded({ dataDir, systemDir, log: () => {} })
  let embedded = await start()
  atEnd(() => embedded.stop())
  const { role } = await migrate(embedded.url)
  const database = connect({ url: embedded.url, log: silent, role })
  atEnd(() => database.close())
  const port = await freePort()
  const world = await makeWorld(database, port)
  const { token } = world.org.users.admin
  const { url } = await startServer({ ...environment(embedded.url), PORT: String(port) })
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
    await embedded.stop()
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
    const connected = answers(embedded.url)
    embedded = await start()
    const connectedAt = await connected
    await Promise.all(writers)
    figures.push(Math.max(0, Math.round(writtenAt - connectedAt)))
  }
  t.diagnostic(`writes were back ${figures.join(', ')} ms after the first plain connection`)
  assert.ok(Math.min(...figures) < bound, figures.join(', '))
})

/** When the database took a connection and answered. */
async function answers(connectionString: string): Promise<number> {
  const patience = patient()
  for (;;) {
    patience()
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return performance.now()
    } catch {
      await pause(5)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
