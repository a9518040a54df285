import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/connect.ts'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createService } from '../../src/service.ts'
import type { ConnectedApp } from './integration.ts'
import { connectApp } from './integration.ts'
import { silent } from './database.ts'
import { atEnd } from './finally.ts'
import { freshFolder } from './program.ts'
import { patient, pause } from './until.ts'
import type { Reply, TestOrganization, TestService } from './service.ts'
import { call, makeOrganization, secretKey } from './service.ts'

// For tests in which the server is a separate process that is killed.

const publicUrl = 'http://perennial.test'

export type World = { service: TestService; org: TestOrganization; app: ConnectedApp; url: string }

/**
 * An organization with a connected app in that database. Requests go to a server of its own process
 * on `port`; the service here listens to nothing and delivers nothing.
 */
export async function makeWorld(database: Database, port: number): Promise<World> {
  const config = { ...readConfig({ LOG_LEVEL: 'silent' }), publicUrl }
  const log = pino({ level: 'silent' })
  const service = await createService({ config, database, secretKey, log })
  const url = `http://127.0.0.1:${port}`
  const there: TestService = {
    ...service,
    url,
    call: (method, path, sent) => call(url, method, path, sent),
  }
  const org = await makeOrganization(there)
  return { service: there, org, app: await connectApp(there, org), url }
}

export function environment(url: string) {
  return {
    DATABASE_URL: url,
    DATA_DIR: freshFolder(),
    SECRET_KEY: secretKey,
    PUBLIC_URL: publicUrl,
    RATE_LIMIT_APPLICATION: '0',
    RATE_LIMIT_INTEGRATION: '0',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_HOST_RATE: '0',
    WEBHOOK_HOST_CONCURRENCY: '50',
    LOG_LEVEL: 'silent',
  }
}

export function idOf({ headers }: Reply): string {
  return headers.get('x-record-id')!
}

/** Below the ports that outgoing connections take, so that it stays free while its server is away. */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 10_000)
  const probe = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** A database server of the test's own, set up, which it stops and starts again. */
export async function startEngine() {
  const dataDir = join(freshFolder(), 'data')
  const systemDir = join(freshFolder(), 'system')
  // as root the server runs as another user, who must be able to enter
  chmodSync(dirname(systemDir), 0o755)
  const start = () => startEmbedded({ dataDir, systemDir, log: () => {} })
  let embedded = await start()
  atEnd(() => embedded.stop())
  const { url } = embedded
  const { role } = await migrate(url)
  const database = connect({ url, log: silent, role })
  atEnd(() => database.close())
  return {
    dataDir,
    systemDir,
    url,
    database,
    stop: () => embedded.stop(),
    start: async () => void (embedded = await start()),
  }
}

/** When a database took a connection and answered, by `performance.now()`. */
export async function answers(connectionString: string): Promise<number> {
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
