import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Database } from '../database/connect.ts'
import { connect } from '../database/connect.ts'
import type { Demo } from '../demo/credentials.ts'
import { makeDemo } from '../demo/make.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { secretsFrom } from '../secrets.ts'
import { silent } from '../../test/support/database.ts'
import { freshFolder } from '../../test/support/program.ts'
import type { TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, secretKey, sql, startService } from '../../test/support/service.ts'
import { exportOrganization } from './export.ts'
import { importOrganization } from './import.ts'
import { readLines, writeLines } from './lines.ts'
import { moveOrganization } from './move.ts'
import { removeOrganization } from './remove.ts'
import { tenantTables } from './tables.ts'

const key = secretsFrom(secretKey)

describe('an organization in an archive', () => {
  let here: TestService
  let there: TestService
  let demo: Demo
  let organization: { id: string; name: string; timezone: string }
  let document: string
  const path = join(freshFolder(), 'demo.perennial')

  const signIn = async (service: TestService) => {
    const { email, password } = demo
    const reply = await service.call('POST', '/api/login/', { body: { email, password } })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.access_token as string
  }

  before(async () => {
    here = await startService()
    there = await startService()
    demo = (await makeDemo(here.runtime, { keep() {} }))!
    organization = { id: demo.organization_id, name: demo.name, timezone: 'UTC' }
    const token = await signIn(here)
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(300_000, 'archive ')]), 'plan.txt')
    const headers = { authorization: `Bearer ${token}` }
    const url = `${here.url}/api/documents/`
    const reply = await fetch(url, { method: 'POST', headers, body: form })
    assert.equal(reply.status, 201)
    // separators of lines in Unicode, which an archive does not take for ends of its own
    const body = { company_name: 'Lines\u2028and\u2029paragraphs', description: 'a\r\nb\u0085c\td' }
    const made = await here.call('POST', '/api/company/', { token, body })
    assert.equal(made.status, 200, made.text)
    document = reply.headers.get('x-record-id')!
    await makeOrganization(there)
  })

  test('is written whole, and brought into another installation', async () => {
    const written = await exportOrganization(here.runtime, organization, { path, key })
    assert.ok(written.rows > 2000, `${written.rows}`)
    assert.ok(written.files >= 1)
    const read = await importOrganization(there.runtime, { path, key })
    assert.deepEqual([read.rows, read.files], [written.rows, written.files])
    assert.equal(read.knows_tokens, true)
  })

  test('answers there as it did here', async () => {
    const mine = await signIn(here)
    const theirs = await signIn(there)
    for (const list of ['company', 'contact', 'account/info', 'project/info', 'tasks', 'documents'])
      for (const query of ['page=1&items_per_page=50', 'page=1&items_per_page=5&q=north']) {
        const path = `/api/${list}/?${query}`
        const expected = await here.call('GET', path, { token: mine })
        const found = await there.call('GET', path, { token: theirs })
        assert.equal(found.status, 200, found.text)
        assert.equal(found.text.replaceAll(there.url, here.url), expected.text, `${list} ${query}`)
      }
    const file = await there.call('GET', `/api/documents/${document}/file/`, { token: theirs })
    assert.equal(file.text, 'archive '.repeat(37_500))
    const app = await rows(
      there,
      sql`select client_secret as bytes from apps where organization_id = ${organization.id}`,
    )
    assert.match(there.runtime.secrets.decrypt(app[0].bytes), /\S{20}/)
  })

  test('comes into an installation once', async () => {
    await assert.rejects(importOrganization(there.runtime, { path, key }), /already exists here/)
  })

  test('is refused whole when the file is not as it was written', async () => {
    await remove()
    const other = `${path}.changed`
    const bytes = readFileSync(path)
    const text = gunzipSync(bytes).toString()
    const refused = async (content: Uint8Array | string, message: RegExp) => {
      writeFileSync(other, content)
      await assert.rejects(importOrganization(there.runtime, { path: other, key }), message)
    }
    await refused(gzipSync(text.replace(organization.name, 'Somebody else')), /was changed/)
    await refused(gzipSync(text.slice(0, -100)), /is incomplete/)
    await refused(bytes.subarray(0, bytes.length / 2), /is incomplete/)
    await refused(bytes.subarray(0, bytes.length - 1), /is incomplete/)
    await refused(Buffer.concat([bytes, gzipSync('more\n')]), /was changed/)
    await refused('something else', /is not an archive/)
    await refused(gzipSync('something else\n'), /is not an archive/)
    const wrong = secretsFrom('a key that nobody knows, of 32 letters')
    await assert.rejects(importOrganization(there.runtime, { path, key: wrong }), /--key-file/)
    const [left] = await rows(
      there,
      sql`select from organizations where organization_id = ${organization.id}`,
    )
    assert.equal(left, undefined)
    const { organization_id, ...counts } = await countsOf(there)
    assert.deepEqual(counts, {})
    assert.equal(organization_id, organization.id)
  })

  test('that somebody wrote with a fitting hash brings nothing that no export writes', async () => {
    const small = await makeOrganization(here)
    const { token } = small.users.admin
    const body = { tag_name: 'Archived' }
    const reply = await here.call('POST', '/api/tags/info/', { token, body })
    assert.equal(reply.status, 201, reply.text)
    const smallPath = `${path}.small`
    const wanted = { id: small.id, name: 'Small', timezone: 'UTC' }
    await exportOrganization(here.runtime, wanted, { path: smallPath, key })
    const content = gunzipSync(readFileSync(smallPath)).toString()
    const [format, head, ...lines] = content.split('\n').slice(0, -2)
    assert.ok(format && head)
    const other = await makeOrganization(there)
    const foreign = `documents/${other.id}/${newId()}`
    const stored = join(freshFolder(), 'stored')
    writeFileSync(stored, 'precious')
    await there.runtime.files.put(foreign, stored, 'text/plain')
    const refused = async (changed: (string | undefined)[], message: RegExp) => {
      const whole = changed.map((line) => `${line}\n`).join('')
      const end = `end\t${createHash('sha256').update(whole).digest('hex')}\n`
      const crafted = `${path}.crafted`
      writeFileSync(crafted, gzipSync(whole + end))
      await assert.rejects(
        importOrganization(there.runtime, { path: crafted, key }),
        (error) => error instanceof ConfigError && message.test(error.message),
      )
    }
    const start = [format, head]
    const headWith = (more: object) =>
      `head\t${JSON.stringify({ ...JSON.parse(head.slice(5)), ...more })}`
    for (const wrong of [
      'head\t{',
      'head\tnull',
      headWith({ migration: 1 }),
      headWith({ organization: null }),
      headWith({ organization: { id: '*', name: 'All' } }),
    ]) {
      await refused([format, wrong, ...lines], /is not an archive of an organization$/)
    }
    const fileOf = (name: string, ...rest: string[]) => [`file\t${name}`, ...rest]
    const bytes = ['bytes\tZXZpbA==', 'stored']
    for (const name of [
      foreign,
      'documents/../evil',
      '/etc/evil',
      `elsewhere/${small.id}/evil`,
      `documents/${small.id}/..`,
      `documents/${small.id}/a/b`,
    ]) {
      await refused([...start, ...lines, ...fileOf(name, ...bytes)], /is no file of it$/)
    }
    const own = `documents/${small.id}/${newId()}`
    await refused([...start, ...lines, ...fileOf(own, 'bytes\tZXZpbA==')], /is not whole$/)
    await refused([...start, ...lines, ...fileOf(own, 'bytes\t%%', 'stored')], /is not whole$/)

    const table = lines.indexOf('table\ttags')
    const sum = lines.findIndex((line, at) => at > table && line.startsWith('sum\t'))
    const withLine = (at: number, line: string) => [...start, ...lines.with(at, line)]
    const without = (from: number, to: number) => [...start, ...lines.toSpliced(from, to - from)]
    const tag = lines[table + 1]!
    await refused(without(table, sum + 1), /the table tags is missing$/)
    await refused(withLine(table, 'table\tmigrations'), /"migrations" is no table of it$/)
    await refused([...start, ...lines, ...lines.slice(table, sum + 1)], /"tags" is no table of it$/)
    await refused(without(sum, sum + 1), /"table" is out of place$/)
    await refused([...start, tag, ...lines], /"row" is out of place$/)
    await refused([...start, ...lines, 'what\tis this'], /"what" is out of place$/)
    await refused(withLine(table + 1, 'row\t{nope\t{}'), /a row of tags is none$/)
    await refused(withLine(table + 1, tag.replace(/[^\t]*$/, '{nope')), /a row of tags is none$/)
    const secret = '{"organization_id":"c2VjcmV0"}'
    await refused(withLine(table + 1, tag.replace(/[^\t]*$/, secret)), /is no secret of tags$/)
    await refused(
      withLine(table + 1, tag.replace(small.id, other.id)),
      /^A row of tags in ".*" cannot be stored: .*row-level security/,
    )
    await refused(withLine(table + 1, `${tag}\n${tag}`), /^The rows of tags differ/)
    await refused(without(table + 1, table + 2), /^The rows of tags differ/)

    assert.deepEqual(await countsOf(there, small.id), { organization_id: small.id })
    assert.equal(await text(await there.runtime.files.get(foreign)), 'precious')
    for await (const file of there.runtime.files.list('')) assert.equal(file.key, foreign)
    await there.runtime.files.remove(foreign)
  })

  test('with a damaged place is refused by a sentence about the file', async () => {
    const damaged = join(freshFolder(), 'damaged.perennial')
    const bytes = readFileSync(path)
    // far from its head, which is read and left before the rest
    bytes.fill(0x55, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 2)
    writeFileSync(damaged, bytes)
    await assert.rejects(
      importOrganization(there.runtime, { path: damaged, key }),
      /^Error: ".*damaged\.perennial" (is incomplete|was changed after it was written)$/,
    )
  })

  test('with a damaged place ends nothing when it is left before that place', async () => {
    const small = join(freshFolder(), 'small.perennial')
    await writeLines(
      small,
      (async function* () {
        for (let i = 0; i < 5000; i++) yield ['row', newId()]
      })(),
    )
    const bytes = readFileSync(small)
    bytes.fill(0x55, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 2)
    writeFileSync(small, bytes)
    for await (const [kind] of readLines(small)) {
      assert.equal(kind, 'row')
      break
    }
    // an error that nobody handles would end the process by now
    await setTimeout(50)
    await assert.rejects(async () => {
      for await (const _ of readLines(small));
    }, /is incomplete|was changed/)
  })

  test('can be under a key of its own', async () => {
    const own = secretsFrom('a key for this archive alone, as it is')
    const second = `${path}.second`
    const written = await exportOrganization(here.runtime, organization, { path: second, key: own })
    const read = await importOrganization(there.runtime, { path: second, key: own })
    assert.equal(read.rows, written.rows)
    await signIn(there)
  })

  test('leaves nothing behind where it is removed, and others as they are', async () => {
    const others = await rows(
      there,
      sql`select count(*)::int as n from users
      where organization_id <> ${organization.id}`,
    )
    const again = { path: `${path}.again`, key }
    const { rows: count, files } = await exportOrganization(there.runtime, organization, again)
    const removed = await remove()
    assert.deepEqual(removed, { rows: count, files }, 'those of an archive')
    assert.deepEqual(await countsOf(there), { organization_id: organization.id })
    const after = await rows(there, sql`select count(*)::int as n from users`)
    assert.deepEqual(after, others)
  })

  test('stays where it is when anything of it changes while it moves', async () => {
    const before = await countsOf(here)
    const renamed = {
      async put(...args: Parameters<typeof there.runtime.files.put>) {
        const token = await signIn(here)
        const body = { tag_name: `made meanwhile ${newId()}` }
        const reply = await here.call('POST', '/api/tags/info/', { token, body })
        assert.equal(reply.status, 201, reply.text)
        return there.runtime.files.put(...args)
      },
    }
    await assert.rejects(move(renamed), /stays here: rows of \w+ changed while it was moved/)
    assert.deepEqual(await countsOf(there), { organization_id: organization.id })
    const after = await countsOf(here)
    assert.ok(Number(after.tags) > Number(before.tags ?? 0))

    const damaged = {
      async put(key: string, path: string, type: string) {
        writeFileSync(path, 'something else')
        return there.runtime.files.put(key, path, type)
      },
    }
    await assert.rejects(move(damaged), /stays here: the file \S+ changed/)
    assert.deepEqual(await countsOf(there), { organization_id: organization.id })
    assert.deepEqual(Object.keys(await countsOf(here)), Object.keys(after))
  })

  test('does not move to where it is, whatever the address says', async () => {
    const before = await countsOf(here)
    await assert.rejects(
      moveTo(here, {}),
      /^Error: Both installations have the same database: name another one/,
    )
    await assert.rejects(
      moveTo(there, here.runtime.files),
      /^Error: Both installations store files in the same place: name another one/,
    )
    assert.deepEqual(await countsOf(here), before)
    assert.deepEqual(await countsOf(there), { organization_id: organization.id })
    const token = await signIn(here)
    const file = await here.call('GET', `/api/documents/${document}/file/`, { token })
    assert.equal(file.text, 'archive '.repeat(37_500))
    for await (const { key } of here.runtime.files.list('moves')) assert.fail(key)
  })

  test('moves with all that it has, and is gone here', async () => {
    const moved = await move({})
    assert.ok(moved.rows > 2000)
    assert.ok(moved.files >= 1)
    assert.deepEqual(moved.missing_files, [])
    assert.deepEqual(await countsOf(here), { organization_id: organization.id })
    const token = await signIn(there)
    const file = await there.call('GET', `/api/documents/${document}/file/`, { token })
    assert.equal(file.text, 'archive '.repeat(37_500))
    const body = { email: demo.email, password: demo.password }
    assert.equal((await here.call('POST', '/api/login/', { body })).status, 401)
  })

  test('is nowhere lost when two processes move it at the same time', async () => {
    const before = await countsOf(there)
    let second: ReturnType<typeof moveTo> | undefined
    const slow = {
      // the first one compares files when the second one begins
      async *list(prefix: string) {
        await (second ??= moveTo(here, {}, there))
        yield* here.runtime.files.list(prefix)
      },
    }
    await assert.rejects(moveTo(here, slow, there), /is no longer here: another process has/)
    const moved = await second
    assert.ok(moved && moved.rows > 2000)
    assert.deepEqual(await countsOf(there), { organization_id: organization.id })
    assert.deepEqual(Object.keys(await countsOf(here)), Object.keys(before))
  })

  /** Moves the organization from here to there, where files are stored in another way. */
  const move = (files: Partial<TestService['runtime']['files']>) => moveTo(there, files)

  /** Moves it from here, or from another origin, to another installation. */
  async function moveTo(
    other: TestService,
    files: Partial<TestService['runtime']['files']>,
    origin = here,
  ) {
    const cellOf = ({ runtime }: TestService) => ({
      runtime,
      owner: connect({ ...ownerOf(runtime.database), log: silent }),
    })
    const [from, to] = [cellOf(origin), cellOf(other)]
    const store = Object.assign(Object.create(other.runtime.files), files)
    to.runtime = Object.create(other.runtime, { files: { value: store } })
    try {
      return await moveOrganization(from, to, organization)
    } finally {
      await Promise.all([from.owner.close(), to.owner.close()])
    }
  }

  /** Removes the organization there, as the owner of the tables. */
  async function remove() {
    const { database, files } = there.runtime
    const owner = connect({ ...ownerOf(database), log: silent })
    return removeOrganization(owner, files, organization.id).finally(() => owner.close())
  }

  /** The tables that have rows of the organization, with their number. */
  async function countsOf(service: TestService, id = organization.id) {
    const counts: { [table: string]: unknown } = { organization_id: id }
    const queries = service.runtime.database.reads(id)
    for (const { name } of await tenantTables(queries)) {
      const [row] = await rows<{ n: number }>(
        service,
        sql`select count(*)::int as n from ${sql.table(name)} t
          where t.organization_id = ${id}`,
      )
      if (row?.n) counts[name] = row.n
    }
    return counts
  }
})

/** How the owner of the tables connects to a service's database. */
function ownerOf({ url, isDistributed }: Database) {
  return { url, isDistributed, role: null }
}
