import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { environment, freePort, makeWorld } from '../support/killed.ts'
import { freshFolder, startServer } from '../support/program.ts'
import { call } from '../support/service.ts'

/** A disk of a few megabytes in this folder; why there is none where the machine does not permit it. */
function mountSmallDisk(folder: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return 'this machine does not let the test mount a small disk'
  }
  atEnd(async () => void execFileSync('umount', ['-l', folder]))
  return undefined
}

describe('a full disk', () => {
  const folder = freshFolder()
  const noDisk = mountSmallDisk(folder)
  let url: string
  let at: string
  let token: string

  before(async () => {
    const fresh = await freshDatabase()
    url = fresh.url
    const port = await freePort()
    const world = await makeWorld(fresh.database, port)
    token = world.org.users.admin.token
    const env = { ...environment(url), DATA_DIR: folder, PORT: String(port) }
    ;({ url: at } = await startServer(env))
  })

  const upload = async (bytes: number) => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(bytes)]), 'large.bin')
    body.append('name', 'large')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${at}/api/documents/`, { method: 'POST', headers, body })
    return { status: reply.status, text: await reply.text(), headers: reply.headers }
  }

  test('refuses files with 507 and leaves nothing of them, while everything else works', async (t) => {
    if (noDisk) return t.skip(noDisk)
    const fill = join(folder, 'fill')
    const full = () => writeFileSync(fill, Buffer.alloc(2_200_000))
    assert.throws(full, { code: 'ENOSPC' })
    const refused = await upload(400_000)
    assert.equal(refused.status, 507, refused.text)
    assert.equal(JSON.parse(refused.text).code, 'disk_full')
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.deepEqual(readdirSync(join(folder, 'uploads')), [])
    assert.equal((await call(at, 'GET', '/livez')).status, 200)
    const body = { company_name: 'Acme' }
    assert.equal((await call(at, 'POST', '/api/company/', { token, body })).status, 200)
    rmSync(fill)
    const taken = await upload(400_000)
    assert.equal(taken.status, 201, taken.text)
  })

  test('of the database refuses writes with 503, while reads work', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(`create function pg_temp.full_disk() returns trigger language plpgsql as
        $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$;
        create trigger full_disk before insert on perennial.companies
          for each row execute function pg_temp.full_disk()`)
      const body = { company_name: 'Another' }
      const refused = await call(at, 'POST', '/api/company/', { token, body })
      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.body.code, 'disk_full')
      assert.equal(refused.headers.get('retry-after'), '30')
      assert.equal((await call(at, 'GET', '/livez')).status, 200)
      const list = '/api/company/?page=1&items_per_page=5'
      assert.equal((await call(at, 'GET', list, { token })).status, 200)
      await client.query('drop trigger full_disk on perennial.companies')
      assert.equal((await call(at, 'POST', '/api/company/', { token, body })).status, 200)
    } finally {
      await client.end()
    }
  })
})
