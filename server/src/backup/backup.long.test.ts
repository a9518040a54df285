import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  readdirSync,
  truncateSync,
  copyFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { readLines } from '../archive/lines.ts'
import { startBucket } from '../../test/support/bucket.ts'
import { at, serverUrl } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { freshFolder, runProgram, startServer } from '../../test/support/program.ts'
import type { Demo } from '../demo/credentials.ts'
import type { Part } from './archive.ts'
import { readArchive, writeArchive } from './archive.ts'
import { tablesOf } from './tables.ts'

/** An empty database on the tests' server. */
async function emptyDatabase(): Promise<string> {
  const name = `backup_${randomBytes(5).toString('hex')}`
  const admin = await serverUrl()
  await query(admin, `create database ${name} template template0 encoding 'UTF8'`)
  atEnd(async () => void (await query(admin, `drop database if exists ${name} with (force)`)))
  return at(admin, name)
}

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** How many rows each table has, and a digest of all they hold. */
async function contents(url: string): Promise<{ [table: string]: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found: { [table: string]: string } = {}
    for (const { schema, table } of await tablesOf(client)) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '')
           as digest from ${schema}.${table} t`,
      )
      found[`${schema}.${table}`] = rows[0]!.digest
    }
    return found
  } finally {
    await client.end()
  }
}

/** Writes a backup anew with other parts, and perhaps one more before its end. */
async function rewrite(
  from: string,
  to: string,
  change: (part: Part) => Buffer,
  more?: string,
): Promise<void> {
  const nobody = { recipients: [], passphrase: undefined }
  await writeArchive(createWriteStream(to), nobody, async (archive) => {
    const keys = { identities: [], passphrase: undefined }
    for await (const part of readArchive(createReadStream(from), keys)) {
      const { name, number } = part
      if (more && name === 'end.json') await archive.add(`${more}.000001`, 'evil')
      const piece = number ? `.${String(number).padStart(6, '0')}` : ''
      await archive.add(`${name}${piece}`, change(part))
    }
  })
}

const organizationsIn = async (url: string) =>
  (await query<{ n: number }>(url, 'select count(*)::int as n from perennial.organizations'))[0]?.n

describe('a backup and its restoration', () => {
  const folder = freshFolder()
  const [file, identityFile] = [join(folder, 'perennial.backup'), join(folder, 'key.txt')]
  const bytes = randomBytes(9_000_000)
  let source: { DATABASE_URL: string; DATA_DIR: string }
  let demo: Demo
  let recipient: string

  before(async () => {
    source = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder() }
    const made = await runProgram(['demo', '--json'], source)
    assert.equal(made.status, 0, made.err)
    demo = JSON.parse(made.out) as Demo
    const identity = await generateX25519Identity()
    recipient = await identityToRecipient(identity)
    writeFileSync(identityFile, `# created: today\n${identity}\n`)
  })

  const signIn = async (url: string) => {
    const reply = await fetch(`${url}/api/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: demo.email, password: demo.password }),
    })
    assert.equal(reply.status, 200)
    const { access_token } = (await reply.json()) as { access_token: string }
    return { authorization: `Bearer ${access_token}` }
  }

  test('is a consistent snapshot while the service writes, and is restored completely', async () => {
    const server = await startServer(source)
    const headers = await signIn(server.url)
    const form = new FormData()
    form.set('document_name', 'To be restored')
    form.set('file', new Blob([bytes]), 'plan.bin')
    const stored = await fetch(`${server.url}/api/documents/`, {
      method: 'POST',
      headers,
      body: form,
    })
    assert.equal(stored.status, 201, await stored.clone().text())

    let isWriting = true
    let written = 0
    const writing = (async () => {
      while (isWriting) {
        const reply = await fetch(`${server.url}/api/tags/info/`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ tag_name: `Tag ${++written}`, tag_type: 'tasks' }),
        })
        assert.ok(reply.status < 300, await reply.text())
      }
    })()
    const busy = await runProgram(['backup', '--to', file, '--encrypt-for', recipient], source)
    isWriting = false
    await writing
    assert.equal(busy.status, 0, busy.err)
    assert.match(busy.out, /^\d+ rows and \d+ files of /)
    assert.ok(written > 1)
    assert.equal(statSync(file).mode & 0o77, 0)
    assert.ok(!readFileSync(file).includes(demo.email))
    assert.match(readFileSync(file).subarray(0, 30).toString(), /^age-encryption\.org\/v1\n/)

    server.child.kill('SIGTERM')
    await server.ended

    // with an engine of its own, where the source had one of the operator's
    const target = { DATA_DIR: freshFolder() }
    const restored = await runProgram(
      ['restore', '--from', file, '--identity-file', identityFile, '--json'],
      target,
    )
    assert.equal(restored.status, 0, restored.err)
    const { rows, files } = JSON.parse(restored.out)
    assert.ok(rows > 1000 && files >= 1)
    const key = (dataDir: string) => readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
    assert.equal(key(target.DATA_DIR), key(source.DATA_DIR))

    const other = await startServer(target)
    const there = await signIn(other.url)
    const id = stored.headers.get('x-record-id')
    const again = await fetch(`${other.url}/api/documents/${id}/file/`, {
      headers: there,
    })
    assert.equal(again.status, 200)
    const back = Buffer.from(await again.arrayBuffer())
    assert.equal(back.length, bytes.length)
    assert.ok(back.equals(bytes))
  })

  test('restores every row of every table, with either kind of encryption', async () => {
    const [phrase, second] = [join(folder, 'phrase.txt'), join(folder, 'second.backup')]
    writeFileSync(phrase, 'correct horse battery staple\n')
    // what is at rest can be compared row by row
    const made = await runProgram(['backup', '--to', second, '--passphrase-file', phrase], source)
    assert.equal(made.status, 0, made.err)
    const target = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder() }
    const wrong = await runProgram(
      ['restore', '--from', second, '--identity-file', identityFile],
      target,
    )
    assert.equal(wrong.status, 1)
    assert.match(wrong.err, /cannot be opened with this identity or passphrase/)
    const unlocked = await runProgram(['restore', '--from', second], target)
    assert.match(unlocked.err, /The backup is encrypted: name --identity-file/)
    const restored = await runProgram(
      ['restore', '--from', second, '--passphrase-file', phrase],
      target,
    )
    assert.equal(restored.status, 0, restored.err)
    const [was, is] = [await contents(source.DATABASE_URL), await contents(target.DATABASE_URL)]
    assert.deepEqual(is, was)
    assert.ok(Object.values(was).filter((digest) => !digest.startsWith('0 ')).length > 40)
    const guards = `select relname, relrowsecurity, relforcerowsecurity from pg_class
      where relnamespace = 'perennial'::regnamespace order by 1`
    assert.deepEqual(
      await query(target.DATABASE_URL, guards),
      await query(source.DATABASE_URL, guards),
    )
    const [off] = await query<{ n: number }>(
      target.DATABASE_URL,
      `select count(*)::int as n from pg_trigger where tgenabled = 'D'`,
    )
    assert.equal(off?.n, 0)

    const over = await runProgram(
      ['restore', '--from', second, '--passphrase-file', phrase],
      target,
    )
    assert.equal(over.status, 1)
    assert.match(over.err, /already has organizations/)
  })

  test('by organization is restored with everything, by its own version, and all or nothing', async () => {
    const two = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder() }
    for (const name of ['First', 'Second']) {
      const made = await runProgram(['demo', '--name', name], two)
      assert.equal(made.status, 0, made.err)
    }
    const path = join(folder, 'each.backup')
    const kept = await runProgram(['backup', '--to', path, '--by-organization', '--json'], two)
    assert.equal(kept.status, 0, kept.err)
    const { rows, files, missing_file_count } = JSON.parse(kept.out)
    assert.ok(rows > 4000 && files >= 2)
    assert.equal(missing_file_count, 0)

    const SECRET_KEY = readFileSync(join(two.DATA_DIR, 'secret.key'), 'utf8').trim()
    const target = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder(), SECRET_KEY }
    const other = { ...target, SECRET_KEY: randomBytes(32).toString('hex') }
    const wrong = await runProgram(['restore', '--from', path], other)
    assert.match(
      wrong.err,
      /^perennial: The secrets in the backup were encrypted with another .*\n$/,
    )
    const damages: [change: (part: Part) => Buffer, message: RegExp][] = [
      [
        ({ name, bytes }) => {
          if (name !== 'backup.json') return bytes
          const head = JSON.parse(bytes.toString())
          return Buffer.from(JSON.stringify({ ...head, migrations: head.migrations.slice(0, -1) }))
        },
        /which only its own version restores/,
      ],
      [
        // the first organization is stored by then, and is removed again
        ({ name, bytes }) =>
          name === 'end.json'
            ? Buffer.from(bytes.toString().replace(/(?<="organizations": \{\s+"\w+": )\d+/, '7'))
            : bytes,
        /The backup is incomplete: \d+ of 7 rows of the organization /,
      ],
      [
        ({ name, bytes }) => (name.startsWith('organizations/') ? bytes.subarray(0, -9) : bytes),
        /The organization \w+ of the backup cannot be restored: .* is incomplete/,
      ],
    ]
    for (const [change, message] of damages) {
      const damaged = join(folder, 'damaged.backup')
      await rewrite(path, damaged, change)
      const failed = await runProgram(['restore', '--from', damaged], target)
      assert.equal(failed.status, 1)
      assert.match(failed.err, message)
      assert.equal(await organizationsIn(target.DATABASE_URL), 0)
    }
    const restored = await runProgram(['restore', '--from', path, '--json'], target)
    assert.equal(restored.status, 0, restored.err)
    const back = JSON.parse(restored.out)
    assert.deepEqual([back.rows, back.files], [rows, files])
    const exported = async (env: typeof two, name: string) => {
      const archive = join(freshFolder(), 'one.perennial')
      const written = await runProgram(['org', 'export', name, '--to', archive, '--json'], env)
      assert.equal(written.status, 0, written.err)
      const lines: string[] = []
      // a value is encrypted anew each time, and the head has the time
      for await (const [kind = '', text = ''] of readLines(archive))
        if (kind !== 'head') lines.push(`${kind} ${text}`)
      return lines
    }
    for (const name of ['First', 'Second'])
      assert.deepEqual(await exported(target, name), await exported(two, name))
    const [was, is] = [await contents(two.DATABASE_URL), await contents(target.DATABASE_URL)]
    for (const table of ['perennial.hash_keys', 'perennial.signing_keys', 'perennial_jobs.job'])
      assert.equal(is[table], was[table])
  })

  test('that is incomplete leaves an empty database, and is reported in one sentence', async () => {
    const plain = join(folder, 'plain.backup')
    const made = await runProgram(['backup', '--to', plain, '--without-files'], source)
    assert.equal(made.status, 0, made.err)
    assert.match(made.out, /It is not encrypted, and contains no secret key/)
    const target = {
      DATABASE_URL: await emptyDatabase(),
      DATA_DIR: freshFolder(),
      SECRET_KEY: readFileSync(join(source.DATA_DIR, 'secret.key'), 'utf8').trim(),
    }
    const cut = join(folder, 'cut.backup')
    copyFileSync(plain, cut)
    truncateSync(cut, Math.floor(statSync(plain).size * 0.7))
    writeFileSync(join(folder, 'none.backup'), 'something else')
    for (const name of ['cut.backup', 'none.backup']) {
      const failed = await runProgram(['restore', '--from', join(folder, name)], target)
      assert.equal(failed.status, 1)
      assert.match(failed.err, /^perennial: The backup is (damaged|incomplete).*\n$/)
    }
    // what damage does to parts where no checksum is looked at yet
    const add = (bytes: Buffer, text: string) => Buffer.concat([bytes, Buffer.from(text)])
    const damages: [name: string, damage: (bytes: Buffer) => Buffer, message: RegExp][] = [
      ['backup.json', () => Buffer.from('{'), /This is not a backup of Perennial/],
      ['end.json', () => Buffer.from('{'), /The backup is incomplete: its end is missing/],
      [
        'tables/perennial.organizations',
        (bytes) => add(bytes, 'more\tthan\tthere\tis\n'),
        /The backup is damaged\. Rows of perennial\.organizations cannot be stored: .*/,
      ],
      [
        'tables/perennial.users',
        (bytes) => Buffer.from(bytes.toString().replace(/^[0-9a-z]{25}/, 'nobody')),
        /The backup is damaged\. Its rows do not fit each other: .*/,
      ],
    ]
    for (const [name, damage, message] of damages) {
      const path = join(folder, 'damaged.backup')
      await rewrite(plain, path, (part) => (part.name === name ? damage(part.bytes) : part.bytes))
      const failed = await runProgram(['restore', '--from', path], target)
      assert.equal(failed.status, 1)
      assert.match(failed.err, new RegExp(`^perennial: ${message.source}\n$`))
    }
    for (const name of ['files/../../evil', 'files//evil', 'tables/pg_catalog.pg_authid']) {
      const path = join(folder, 'damaged.backup')
      await rewrite(plain, path, ({ bytes }) => bytes, name)
      const failed = await runProgram(['restore', '--from', path], target)
      assert.equal(failed.status, 1)
      assert.match(
        failed.err,
        /^perennial: The backup (is damaged: ".*" is no name of a file|names a table that there is not: .*)\n$/,
      )
    }
    assert.equal(await organizationsIn(target.DATABASE_URL), 0)
    const missing = await runProgram(['restore', '--from', join(folder, 'missing')], target)
    assert.match(missing.err, /^perennial: There is no ".*missing"\n$/)
    const whole = await runProgram(['restore', '--from', plain], target)
    assert.equal(whole.status, 0, whole.err)
    assert.equal(await organizationsIn(target.DATABASE_URL), 1)
  })

  test('takes the files of a bucket into another one, and says how many it did not find', async () => {
    const { place, objects } = await startBucket()
    const bucket = {
      S3_BUCKET: place.bucket,
      S3_ENDPOINT: place.endpoint!,
      S3_ACCESS_KEY_ID: place.accessKeyId!,
      S3_SECRET_ACCESS_KEY: place.secretAccessKey!,
    }
    const from = { ...bucket, S3_BUCKET: `${place.bucket}/one`, DATA_DIR: freshFolder() }
    const demonstration = { ...from, DATABASE_URL: await emptyDatabase() }
    const made = await runProgram(['demo', '--json'], demonstration)
    assert.equal(made.status, 0, made.err)
    const below = (prefix: string) =>
      [...objects]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { bytes }]) => `${name.slice(prefix.length)} ${bytes.toString('base64')}`)
    const first = [...objects.keys()].join()
    assert.match(first, /^one\/documents\/[^,]+$/)

    const bucketFile = join(folder, 'bucket.backup')
    const stored = await runProgram(['backup', '--to', bucketFile, '--json'], demonstration)
    assert.equal(stored.status, 0, stored.err)
    const { files, missing_file_count } = JSON.parse(stored.out)
    assert.deepEqual([files, missing_file_count], [objects.size, 0])
    const target = {
      ...bucket,
      S3_BUCKET: `${place.bucket}/two`,
      DATABASE_URL: await emptyDatabase(),
      DATA_DIR: freshFolder(),
      SECRET_KEY: readFileSync(join(from.DATA_DIR, 'secret.key'), 'utf8').trim(),
    }
    const restored = await runProgram(['restore', '--from', bucketFile], target)
    assert.equal(restored.status, 0, restored.err)
    assert.deepEqual(below('two/'), below('one/'))

    objects.delete(first)
    const short = await runProgram(['backup', '--to', bucketFile], demonstration)
    assert.equal(short.status, 0, short.err)
    assert.match(short.out, /Files that records name and the store does not have: 1\./)
  })

  test('does not leave half a file where it cannot write', async () => {
    const nowhere = join(folder, 'no/such/place.backup')
    const failed = await runProgram(['backup', '--to', nowhere], source)
    assert.equal(failed.status, 1)
    assert.match(failed.err, /^perennial: There is no folder ".*such"\n$/)
    assert.ok(!existsSync(nowhere))
    const instead = await runProgram(['backup', '--to', folder], source)
    assert.match(instead.err, /^perennial: ".*" is no file\n$/)
    const target = join(folder, 'unlocked.backup')
    for (const recipient of ['me', 'age1nonsense']) {
      const wrong = await runProgram(['backup', '--to', target, '--encrypt-for', recipient], source)
      assert.equal(wrong.status, 2)
      assert.match(wrong.err, /^perennial: --encrypt-for must be an age recipient.*\n$/)
    }
    assert.ok(!existsSync(target) && !existsSync(`${target}.part`))
  })

  test('without the key of its secrets is not restored, and no key is created', async () => {
    const plain = join(folder, 'keyless.backup')
    await runProgram(['backup', '--to', plain, '--without-files'], source)
    const target = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder() }
    const keyless = await runProgram(['restore', '--from', plain], target)
    assert.equal(keyless.status, 1)
    assert.match(keyless.err, /^perennial: The backup contains no secret key: set SECRET_KEY .*\n$/)
    const SECRET_KEY = randomBytes(32).toString('hex')
    const wrong = await runProgram(['restore', '--from', plain], { ...target, SECRET_KEY })
    assert.match(
      wrong.err,
      /^perennial: The secrets in the backup were encrypted with another .*\n$/,
    )
    assert.equal(await organizationsIn(target.DATABASE_URL), 0)
    assert.ok(!existsSync(join(target.DATA_DIR, 'secret.key')))
    copyFileSync(join(source.DATA_DIR, 'secret.key'), join(target.DATA_DIR, 'secret.key'))
    const right = await runProgram(['restore', '--from', plain], target)
    assert.equal(right.status, 0, right.err)
  })

  test('to the same file as another one at the same time is whole', async () => {
    const path = join(freshFolder(), 'same.backup')
    const both = await Promise.all(
      [1, 2].map(() => runProgram(['backup', '--to', path, '--without-files'], source)),
    )
    for (const { status, err } of both) assert.equal(status, 0, err)
    assert.deepEqual(readdirSync(dirname(path)), ['same.backup'])
    const names: string[] = []
    const keys = { identities: [], passphrase: undefined }
    for await (const { name } of readArchive(createReadStream(path), keys)) names.push(name)
    assert.equal(names.at(-1), 'end.json')
  })

  test('that is encrypted and damaged is distinguished from one with another passphrase', async () => {
    const [locked, phrase, other] = ['locked.backup', 'phrase.txt', 'other.txt'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    writeFileSync(phrase, 'correct horse battery\n')
    writeFileSync(other, 'another passphrase\n')
    const args = ['--passphrase-file', phrase]
    await runProgram(['backup', '--to', locked, '--without-files', ...args], source)
    const target = { DATABASE_URL: await emptyDatabase(), DATA_DIR: freshFolder() }
    const from = ['restore', '--from', locked]
    const closed = await runProgram([...from, '--passphrase-file', other], target)
    assert.match(closed.err, /^perennial: The backup cannot be opened with this identity or pass/)
    truncateSync(locked, Math.floor(statSync(locked).size / 2))
    const damaged = await runProgram([...from, ...args], target)
    assert.match(
      damaged.err,
      /^perennial: The backup is damaged, or the file is not a backup: .*\n$/,
    )
  })
})
