import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '../../src/database/connect.ts'
import { connect } from '../../src/database/connect.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate, migrations } from '../../src/database/migrate.ts'
import { atEnd } from './finally.ts'

export const silent = { info() {}, warn() {}, error() {} }

/**
 * A fresh database for this file, cloned from a migrated template, and dropped when the file is
 * done. The server is TEST_DATABASE_URL's, or an embedded one that all test files share. Reads and
 * writes go through the pooler, where one is named here or in TEST_POOLER_URL.
 */
export async function freshDatabase(
  pooler: string | null = process.env.TEST_POOLER_URL ?? null,
): Promise<{ url: string; database: Database }> {
  const admin = await serverUrl()
  const { name: template, role } = await templateOf(admin)
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await once(admin, `create database ${name} template ${template} strategy file_copy`)
  const url = at(admin, name)
  const database = connect({ url, poolerUrl: pooler && at(pooler, name), log: silent, role })
  atEnd(async () => {
    await database.close()
    await once(admin, `drop database if exists ${name} with (force)`)
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

/** The migrated template of exactly these migrations; the first test file to ask makes it. */
async function templateOf(admin: string): Promise<{ name: string; role: string | null }> {
  const hash = createHash('sha256').update('with the tables of the job library')
  for (const { name, sql } of migrations()) hash.update(name).update(sql)
  const name = `template_${hash.digest('hex').slice(0, 16)}`
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(4711)')
    const { rowCount } = await client.query(
      'select from pg_database where datname = $1 and datistemplate',
      [name],
    )
    if (!rowCount) {
      await client.query(`drop database if exists ${name}`)
      await client.query(`create database ${name} template template0 encoding 'UTF8'`)
      await migrate(at(admin, name), { allowOwner: true })
      await client.query(`alter database ${name} is_template true`)
    }
    const { rows } = await client.query(
      `select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`,
    )
    return { name, role: rows[0].bypasses ? 'perennial_service' : null }
  } finally {
    await client.end()
  }
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
