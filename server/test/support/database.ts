import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { setOnMachines } from '../../src/database/citus.ts'
import { settingsOnMachines } from '../../src/database/client.ts'
import type { Database } from '../../src/database/connect.ts'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate, migrations } from '../../src/database/migrate.ts'
import { atEnd } from './finally.ts'

export const silent = { info() {}, warn() {}, error() {} }

/**
 * A fresh database for this file, cloned from a migrated template, and dropped when the file is
 * done. The server is TEST_DATABASE_URL's, which may be the coordinator of Citus, or an embedded one that
 * all test files share. Reads and writes go through the pooler, where one is named here or in TEST_POOLER_URL.
 */
export async function freshDatabase(
  pooler: string | null = process.env.TEST_POOLER_URL ?? null,
): Promise<{ url: string; database: Database }> {
  const admin = await serverUrl()
  const { name: template, role, nodes } = await templateOf(admin)
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  // each node has a part of it, and knows the others by what is in it
  const each = (text: string) => Promise.all(nodes.map((node) => once(node, text)))
  await each(`create database ${name} template ${template} strategy file_copy`)
  const url = at(admin, name)
  const options = {
    url,
    poolerUrl: pooler && at(pooler, name),
    log: silent,
    role,
    isDistributed: nodes.length > 1,
    // other test files share the machine: a connection may take long to open at any time
    isStarting: true,
  }
  if (options.isDistributed) await setOnMachines(url, role, settingsOnMachines(options))
  const database = connect(options)
  atEnd(async () => {
    await database.close()
    await each(`drop database if exists ${name} with (force)`)
  })
  return { url, database }
}

/** The URL of a server on which this process may create databases. */
let server: Promise<string> | undefined
export function serverUrl(): Promise<string> {
  return (server ??= findServer())
}

/** Another database of the same server. */
export function at(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

async function findServer(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  const dataDir = join(tmpdir(), `perennial-test-${process.getuid?.() ?? 0}`)
  mkdirSync(dataDir, { recursive: true })
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  atEnd(() => embedded.stop())
  return embedded.url
}

/** The migrated template of exactly these migrations; created by the first test file that needs it. */
async function templateOf(
  admin: string,
): Promise<{ name: string; role: string | null; nodes: string[] }> {
  const hash = createHash('sha256').update('with the tables of the job library')
  for (const { name, sql } of migrations()) hash.update(name).update(sql)
  hash.update(readFileSync(new URL('../../src/database/citus.ts', import.meta.url)))
  const name = `template_${hash.digest('hex').slice(0, 16)}`
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(4711)')
    const nodes = await nodesOf(client, admin)
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1 and datistemplate',
      [name],
    )
    if (!rowCount) {
      for (const node of nodes) {
        await once(node, `drop database if exists ${name} with (force)`)
        await once(node, `create database ${name} template template0 encoding 'UTF8'`)
      }
      if (nodes.length > 1) await makeCitus(nodes.map((node) => at(node, name)))
      await migrate(at(admin, name), { allowOwner: true })
      for (const node of nodes) {
        // its own processes would keep it from being copied
        await once(node, `alter database ${name} allow_connections false is_template true`)
        await once(
          node,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        )
      }
    }
    const { rows } = await client.query(
      `select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`,
    )
    return { name, role: rows[0].bypasses ? 'perennial_service' : null, nodes }
  } finally {
    await client.end()
  }
}

/**
 * The servers that have a part of each database, the one of the URL first: the nodes of Citus, where that is set up in
 * the database of the URL.
 */
async function nodesOf(client: pg.Client, url: string): Promise<string[]> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (!rowCount) return [url]
  const { rows } = await client.query<{ nodename: string; nodeport: string }>(
    `select nodename, nodeport::text from pg_dist_node where groupid > 0 order by nodeid`,
  )
  const workers = rows.map(({ nodename, nodeport }) => {
    const worker = new URL(url)
    worker.hostname = nodename
    worker.port = nodeport
    return worker.href
  })
  return [url, ...workers]
}

/** Sets Citus up in a database that is there on all nodes. */
async function makeCitus([coordinator, ...workers]: string[]) {
  for (const node of [coordinator!, ...workers]) await once(node, 'create extension citus')
  const place = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`
  await once(coordinator!, `select citus_set_coordinator_host(${place(coordinator!)})`)
  for (const worker of workers) await once(coordinator!, `select citus_add_node(${place(worker)})`)
}

async function once(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
