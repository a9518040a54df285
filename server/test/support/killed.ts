import { createServer } from 'node:net'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/connect.ts'
import { createService } from '../../src/service.ts'
import type { ConnectedApp } from './integration.ts'
import { connectApp } from './integration.ts'
import { freshFolder } from './program.ts'
import type { Reply, TestOrganization, TestService } from './service.ts'
import { call, makeOrganization, secretKey } from './service.ts'

// For tests in which the server is a process of its own that is killed.

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
