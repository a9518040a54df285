import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { connect as connectTls } from 'node:tls'
import pg from 'pg'
import { type Config, isLoopback } from '../config.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrations, serviceRole } from '../database/migrate.ts'
import { readProvision } from '../provision.ts'
import { keyInDataDir, secretsFrom } from '../secrets.ts'
import type { Command } from './command.ts'
import { databaseFailure, placeOf, sentenceOf } from './failure.ts'

type State = 'ok' | 'warn' | 'fail'

/** One line of the doctor's: what was looked at, how it is, and what to do about it. */
type Finding = { check: string; state: State; seen: string; advice?: string }

/** `perennial doctor` */
export const doctor: Command = {
  summary: 'look for what could keep the service from running well',
  about: `Looks at Node.js, the data folder, the secret key, the database and its rights, the clock, the port, the
public URL and the mail server, and says what to do where something is wrong. Changes nothing. Ends with
status 1 when something fails; warnings alone are status 0.`,
  examples: ['perennial doctor', 'DATABASE_URL=postgres://… perennial doctor --json'],
  options: {},
  environment: [
    'DATA_DIR',
    'DATABASE_URL',
    'SECRET_KEY',
    'PROVISION_FILE',
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'SMTP_URL',
  ],
  async run({ config, terminal }) {
    const findings: Finding[] = [
      runtime(),
      ...dataFolder(config),
      ...provisionFile(config),
      ...(await database(config)),
      ...(await address(config)),
      await mail(config),
    ]
    const failed = findings.filter(({ state }) => state === 'fail').length
    const warned = findings.filter(({ state }) => state === 'warn').length
    const colors = terminal.hasColors ? { ok: 32, warn: 33, fail: 31 } : undefined
    const lines = findings.map(({ check, state, seen, advice }) => {
      const word = state.padEnd(6)
      const shown = colors ? `\u001B[${colors[state]}m${word}\u001B[0m` : word
      return `${shown}${check.padEnd(16)}${seen}${advice ? `\n${' '.repeat(22)}→ ${advice}` : ''}`
    })
    const verdict = failed ? `${failed} failed` : 'Nothing stands in the way'
    return {
      json: { ok: failed === 0, findings },
      text: [...lines, '', verdict + (warned ? `, ${warned} to look at` : '')].join('\n'),
      status: failed ? 1 : 0,
    }
  },
}

function runtime(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const check = 'Node.js'
  if (major >= 24) return { check, state: 'ok', seen: process.versions.node }
  const advice = 'Node.js 24 or newer is needed; npm scripts bring their own'
  return { check, state: 'fail', seen: process.versions.node, advice }
}

function dataFolder({ dataDir }: Config): Finding[] {
  const check = 'data folder'
  const folder = resolve(dataDir)
  let there = folder
  while (!existsSync(there)) there = dirname(there)
  try {
    if (!statSync(there).isDirectory()) throw new Error('is a file, not a folder')
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const seen = `${there} ${code ? `cannot be written (${code})` : (error as Error).message}`
    return [{ check, state: 'fail', seen, advice: 'give it to this user, or set DATA_DIR' }]
  }
  const { bavail, bsize } = statfsSync(there)
  const megabytes = Math.round((bavail * bsize) / 1e6)
  const state = megabytes < 100 ? 'fail' : megabytes < 1000 ? 'warn' : 'ok'
  const open = ['secret.key', 'demo.json', 'postgres.json'].filter((name) => {
    const file = join(folder, name)
    return existsSync(file) && (statSync(file).mode & 0o077) !== 0
  })
  return [
    { check, state: 'ok', seen: folder === there ? folder : `${folder} (not made yet)` },
    {
      check: 'free space',
      state,
      seen: `${megabytes} MB`,
      ...(state === 'ok' ? {} : { advice: 'make room, or set DATA_DIR to another disk' }),
    },
    ...open.map((name): Finding => {
      const advice = `chmod 600 "${join(folder, name)}"`
      return { check: name, state: 'warn', seen: 'other users of this machine can read it', advice }
    }),
  ]
}

function provisionFile({ provisionFile: file }: Config): Finding[] {
  if (!file) return []
  const check = 'provision file'
  try {
    const { organizations } = readProvision(file)
    return [{ check, state: 'ok', seen: `${file}, ${organizations.length} organizations` }]
  } catch (error) {
    return [
      { check, state: 'fail', seen: sentenceOf(error) ?? String(error), advice: 'correct it' },
    ]
  }
}

async function database(config: Config): Promise<Finding[]> {
  const check = 'database'
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres.json'))) {
    return [{ check, state: 'ok', seen: 'none yet: the first start makes one in the data folder' }]
  }
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined
  let client: pg.Client | undefined
  try {
    embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log: () => {} })
    const connectionString = databaseUrl ?? embedded!.url
    client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect().catch((error: unknown) => {
      throw databaseFailure(error, connectionString, !databaseUrl)
    })
    return await examine(client, config, databaseUrl ? placeOf(databaseUrl) : 'embedded')
  } catch (error) {
    const seen = sentenceOf(error) ?? (error as Error).message
    return [{ check, state: 'fail', seen }]
  } finally {
    await client?.end().catch(() => {})
    await embedded?.stop()
  }
}

async function examine(client: pg.Client, config: Config, place: string): Promise<Finding[]> {
  const begun = Date.now()
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    now: number
    connections: number
    is_set_up: boolean
    may_create: boolean
  }>(`select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      current_setting('max_connections')::int as connections,
      to_regclass('perennial.migrations') is not null as is_set_up,
      has_database_privilege(current_database(), 'create') as may_create`)
  const [{ version, number, encoding, now, connections, is_set_up, may_create }] = rows as [
    (typeof rows)[0],
  ]
  const took = Date.now() - begun
  const tooOld = number < 150_000
  const findings: Finding[] = [
    {
      check: 'database',
      state: tooOld ? 'fail' : 'ok',
      seen: `PostgreSQL ${version}, ${place}, answers in ${took} ms`,
      ...(tooOld ? { advice: 'PostgreSQL 15 or newer is needed' } : {}),
    },
  ]
  if (encoding !== 'UTF8') {
    const advice = "make the database again with encoding 'UTF8'"
    findings.push({ check: 'encoding', state: 'fail', seen: encoding, advice })
  }
  if (connections < 30) {
    const advice = 'each process of the service takes up to 17: raise max_connections'
    findings.push({ check: 'connections', state: 'warn', seen: `${connections} at most`, advice })
  }
  findings.push(clock(now - begun - took / 2))
  if (!is_set_up) {
    const check = 'migrations'
    const yet = 'not set up yet: the first start or perennial migrate does it'
    const may: Finding = { check, state: 'ok', seen: yet }
    const seen = 'not set up yet, and this user may not create in the database'
    const advice = 'grant create on database … to the user in DATABASE_URL'
    return [...findings, may_create ? may : { check, state: 'fail', seen, advice }]
  }
  return [...findings, await migrated(client), await separation(client), await key(client, config)]
}

/** Signatures are good for 300 s, so a clock that is wrong by more refuses everything. */
function clock(difference: number): Finding {
  const seconds = Math.abs(difference) / 1000
  const check = 'clock'
  if (seconds < 5) return { check, state: 'ok', seen: 'agrees with the database' }
  const seen = `${seconds.toFixed(0)} s away from the database's`
  return { check, state: seconds < 60 ? 'warn' : 'fail', seen, advice: 'set both by NTP' }
}

async function migrated(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>('select name from perennial.migrations')
  const done = new Set(rows.map(({ name }) => name))
  const pending = migrations().filter(({ name }) => !done.has(name))
  const check = 'migrations'
  if (!pending.length) return { check, state: 'ok', seen: `${rows.length} applied` }
  const seen = `${pending.map(({ name }) => name).join(', ')} not applied yet`
  return { check, state: 'warn', seen, advice: 'the next start or perennial migrate does it' }
}

/** Read by functions of their owner, which name the organization themselves (decision 8). */
const unforced = ['search_entries', 'search_words']

/** Whether the role that the service takes is bound by the row-level security of every table. */
async function separation(client: pg.Client): Promise<Finding> {
  const check = 'tenants apart'
  const { rows: roles } = await client.query<{ bypasses: boolean; member: boolean; name: string }>(
    `select rolsuper or rolbypassrls as bypasses, rolname as name,
       exists (select from pg_roles s where s.rolname = $1 and not s.rolsuper
         and not s.rolbypassrls and pg_has_role(current_user, s.oid, 'member')) as member
     from pg_roles where rolname = current_user`,
    [serviceRole],
  )
  const { bypasses, member, name } = roles[0]!
  if (bypasses && !member) {
    const seen = `the role ${name} bypasses row-level security`
    const advice = 'connect as a role without BYPASSRLS, or as one that may create roles'
    return { check, state: 'fail', seen, advice }
  }
  const { rows: open } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'perennial'
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and a.attnum > 0
     where c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
       and not (c.relrowsecurity and c.relname = any($1))`,
    [unforced],
  )
  if (!open.length) {
    return { check, state: 'ok', seen: `as ${member ? serviceRole : name}, forced on every table` }
  }
  const seen = `no forced row-level security on ${open.map((table) => table.name).join(', ')}`
  return { check, state: 'fail', seen, advice: 'alter table … force row level security' }
}

async function key(
  client: pg.Client,
  { secretKey, dataDir, databaseUrl }: Config,
): Promise<Finding> {
  const check = 'secret key'
  const known = secretKey ?? keyInDataDir(dataDir)
  if (!known) {
    const seen = 'neither SECRET_KEY nor a key in the data folder'
    return { check, state: 'warn', seen, advice: 'bring the key of this database back' }
  }
  // of every organization: an app's secret may be there before the first signing key
  await client.query(`select set_config('app.organization', '*', false)`)
  const { rows } = await client.query<{ bytes: Buffer }>(`
    (select private_jwk as bytes from perennial.signing_keys order by creation_time desc limit 1)
    union all (select client_secret from perennial.apps order by id desc limit 1)`)
  try {
    for (const { bytes } of rows) secretsFrom(known).decrypt(bytes)
  } catch {
    const seen = 'the secrets in this database were encrypted with another one'
    return { check, state: 'fail', seen, advice: 'set SECRET_KEY to that one' }
  }
  if (databaseUrl && !secretKey) {
    const seen = 'fits; it is in the data folder of this machine only'
    return { check, state: 'warn', seen, advice: 'set SECRET_KEY, the same on every machine' }
  }
  return { check, state: 'ok', seen: rows.length ? 'fits' : 'nothing is encrypted yet' }
}

async function address(config: Config): Promise<Finding[]> {
  const { host, port, publicUrl } = config
  const findings: Finding[] = []
  const free = await isFree(host, port)
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const isOurs = free === 'EADDRINUSE' && (await answers(local)) === 'alive'
  if (free === true) findings.push({ check: 'port', state: 'ok', seen: `${port} is free` })
  else if (isOurs) {
    findings.push({ check: 'port', state: 'ok', seen: `the service listens on ${port}` })
  } else {
    const seen = `${host}:${port} cannot be listened on (${free})`
    findings.push({
      check: 'port',
      state: 'fail',
      seen,
      advice: 'set PORT or HOST, or stop what is there',
    })
  }
  const check = 'public URL'
  const { hostname, protocol } = new URL(publicUrl)
  if (!isLoopback(host) && isLoopback(hostname)) {
    const advice = 'set PUBLIC_URL to the address that callers use'
    findings.push({ check, state: 'warn', seen: `${publicUrl}, while HOST is ${host}`, advice })
  } else if (protocol === 'http:' && !isLoopback(hostname)) {
    const advice = 'put TLS in front, and set PUBLIC_URL to https://…'
    findings.push({ check, state: 'warn', seen: `${publicUrl} is not encrypted`, advice })
  } else if (!isOurs) findings.push({ check, state: 'ok', seen: `${publicUrl}, not running now` })
  else {
    const seen = await answers(publicUrl)
    const isGood = seen === 'alive'
    const advice = 'let it lead to the service'
    findings.push(
      isGood
        ? { check, state: 'ok', seen: `${publicUrl} leads to the service` }
        : { check, state: 'warn', seen: `${publicUrl} answers ${seen}`, advice },
    )
  }
  return findings
}

/** True, or the code of the error that listening gives. */
function isFree(host: string, port: number): Promise<true | string> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** What `/livez` under the URL says, or why it says nothing. */
async function answers(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(5000) })
    if (!response.ok) return `status ${response.status}`
    return ((await response.json()) as { status?: string }).status ?? 'something else'
  } catch (error) {
    const { cause, message } = error as Error
    return (cause as NodeJS.ErrnoException)?.code ?? message
  }
}

async function mail({ smtpUrl }: Config): Promise<Finding> {
  const check = 'mail'
  if (!smtpUrl) {
    return {
      check,
      state: 'ok',
      seen: 'no SMTP_URL: mails are kept in the data folder, in outbox/',
    }
  }
  const { hostname, port, protocol } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  const target = { host: hostname, port: Number(port) || (isTls ? 465 : 587) }
  const place = `${target.host}:${target.port}`
  const said = await greeting(target, isTls)
  if (said.startsWith('220')) return { check, state: 'ok', seen: `${place} greets` }
  return { check, state: 'fail', seen: `${place}: ${said}`, advice: 'correct SMTP_URL' }
}

/** The first line of a mail server, or why there is none. */
function greeting(target: { host: string; port: number }, isTls: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = isTls
      ? connectTls({ ...target, servername: target.host })
      : createConnection(target)
    const end = (text: string) => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(5000, () => end('no answer within 5 s'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    socket.once('data', (data: Buffer) => end(data.toString().split('\r\n')[0]!.slice(0, 100)))
  })
}
