import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Demo, readDemos, writeDemos } from '../demo/credentials.ts'
import { makeDemo } from '../demo/make.ts'
import { sql } from '../kit/ground/sql.ts'
import { makeLog } from '../log.ts'
import { type Generated, provision, readProvision } from '../provision.ts'
import type { Runtime } from '../runtime.ts'
import { createService } from '../service.ts'
import { commandLine } from './again.ts'
import { environment } from './environment.ts'
import type { Command, Terminal } from './command.ts'
import { listenFailure } from './failure.ts'
import { open } from './open.ts'
import { joinServers, warningOf } from './servers.ts'
import { version } from './version.ts'
import { type Ready, welcome } from './welcome.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** Connections at rest stay this long after a signal: a request may be on its way; milliseconds. */
const linger = 500

/** `perennial serve` */
export const serve: Command = {
  summary: 'start the service',
  about: `Starts the service: opens the database (its own PostgreSQL in the data folder, or DATABASE_URL), brings
it to this version, applies the provision file, and listens. Without a database and a provision file of
yours the first start makes a demonstration organization and shows how to sign in. A process with the role
web answers requests and leaves jobs and deliveries to those with the role worker, which answer nothing
but /livez, /readyz and /metrics. SIGTERM and Ctrl-C stop
it without dropping a request; a second one stops it at once.`,
  examples: [
    'perennial serve',
    'PORT=8080 perennial serve --provision provision.json',
    'perennial serve --role web',
    'DATABASE_URL=postgres://perennial:…@db.internal/perennial SECRET_KEY=… HOST=0.0.0.0 \\\n    PUBLIC_URL=https://crm.example.com perennial serve',
  ],
  options: {
    provision: {
      value: 'FILE',
      variable: 'PROVISION_FILE',
      about: 'the provision file, instead of PROVISION_FILE',
    },
    role: {
      value: 'ROLE',
      variable: 'ROLE',
      about: 'web, worker or all (the default), instead of ROLE',
    },
    port: { value: 'PORT', variable: 'PORT', about: 'the port, instead of PORT' },
    host: { value: 'HOST', variable: 'HOST', about: 'the address, instead of HOST' },
  },
  environment: Object.keys(environment),
  async run({ config, isJson, terminal }) {
    const log = makeLog(config.logLevel)
    const life = lifeUntilSignal(config, log)
    const starting = withPort(config).then((found) => start(found, log, terminal, life))
    life.begins(starting)
    try {
      const ready = await starting
      terminal.out(isJson ? JSON.stringify(asJson(ready)) : welcome(ready))
    } catch (error) {
      if (life.isEnding()) return undefined
      await life.end()
      throw error
    }
    // the service goes on; a signal ends the process
    return undefined
  },
}

/** The life of the process: what has to be stopped at its end, and whether that has come. */
type Life = {
  begins(starting: Promise<unknown>): void
  /** what was started last is stopped first; throws when the end has come meanwhile */
  atEnd(stop: () => Promise<void>): void
  isEnding(): boolean
  /** stops everything and leaves the process alone */
  end(): Promise<void>
}

/** Ends the process on a signal or an unforeseen error; at once on a second signal. */
function lifeUntilSignal(config: Config, log: Logger): Life {
  const stops: (() => Promise<void>)[] = []
  let starting: Promise<unknown> = Promise.resolve()
  let isEnding = false
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  const grace = closeWithGrace(
    { delay: config.stopTimeout * 1000 + 5000, logger: false },
    async ({ signal, err }) => {
      isEnding = true
      if (err) log.fatal({ err }, 'unexpected error, stopping')
      else log.info({ signal }, 'stopping')
      // a start gives up after the part that it is at
      await starting.catch(() => {})
      await stopAll()
      log.info({}, 'stopped')
    },
  )
  return {
    begins: (promise) => void (starting = promise),
    atEnd(stop) {
      stops.push(stop)
      if (isEnding) throw new Error('asked to stop while starting')
    },
    isEnding: () => isEnding,
    async end() {
      grace.uninstall()
      await stopAll()
    },
  }
}

async function start(config: Config, log: Logger, terminal: Terminal, life: Life): Promise<Ready> {
  const declared = config.provisionFile ? readProvision(config.provisionFile) : undefined
  let isUp = false
  const note = (message: string) => (isUp ? log.warn({}, message) : terminal.note(message))
  // a folder that is yet to be made has no servers, and PostgreSQL's own user must be able to enter it
  const isNew = !existsSync(config.dataDir)
  if (!isNew) warnOfOthers(config, note, life)
  // while the database starts
  const workspace = openWorkspace(config.role === 'worker' ? 'off' : config.workspace, log)
  life.atEnd(() => workspace.stop())
  const opened = await open(config, { log, note })
  life.atEnd(() => opened.close())
  if (isNew) warnOfOthers(config, note, life)
  const { runtime, secretKey } = opened

  const generated = declared ? await provision(runtime, config.provisionFile!, declared) : []
  const isFirst = !declared && !config.databaseUrl
  const demo = isFirst ? await firstDemo(runtime) : undefined

  const { database, secrets } = runtime
  const service = await createService({ config, database, secretKey, secrets, log, workspace })
  life.atEnd(() => service.close({ linger, deadline: config.stopTimeout * 1000 }))
  const { host, port } = config
  await service.app.listen({ host, port }).catch((error: unknown) => {
    throw listenFailure(error, host, port)
  })
  await service.start()
  isUp = true
  return describe(runtime, { generated, demo, place: opened.place })
}

/**
 * Tells the operator of the other servers on this folder, before anything is migrated or written. With a
 * database of the operator's own many servers are usual, and nothing is said.
 */
function warnOfOthers(config: Config, note: (message: string) => void, life: Life) {
  if (config.databaseUrl) return
  const own = { url: localUrl(config), version: version() }
  const { others, leave } = joinServers(config.dataDir, own)
  life.atEnd(async () => leave())
  const warning = warningOf(others, config.dataDir, own.version)
  if (warning) note(warning)
}

/** The demonstration of a first start; undefined when there is an organization already. */
function firstDemo(runtime: Runtime): Promise<Demo | undefined> {
  const { dataDir } = runtime.config
  return makeDemo(runtime, {
    onlyFirst: true,
    // whatever an older file says belongs to a database that is gone
    keep: (demo) => writeDemos(dataDir, { url: null, demos: [demo] }),
  })
}

type Made = { generated: Generated[]; demo: Demo | undefined; place: string }

async function describe(
  { config, database }: Runtime,
  { generated, demo, place }: Made,
): Promise<Ready> {
  const rows = await database
    .reads(allOrganizations)
    .all<{ id: string }>(
      sql`select organization_id as id from organizations order by organization_id limit 10000`,
    )
  const there = new Set(rows.map(({ id }) => id))
  const stored = readDemos(config.dataDir)
  const demos = stored.demos.filter(({ organization_id }) => there.has(organization_id))
  const url = localUrl(config)
  if (demos.length && stored.url !== url) writeDemos(config.dataDir, { url, demos: stored.demos })
  // since the process began, with all that it had to load
  const seconds = process.uptime()
  return {
    config,
    url,
    seconds,
    place,
    generated,
    demo,
    demos,
    isEmpty: !rows.length,
    again: commandLine(config.dataDir),
  }
}

/** The address at which this machine reaches the service. */
function localUrl({ host, port }: Config): string {
  const isAll = host === '0.0.0.0' || host === '::'
  const shown = isAll ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}

/**
 * Looks at the port before anything is made: a first start must not fail after its demonstration.
 * PORT=0 takes a free one now, since the public URL, which the tokens name, depends on it.
 */
async function withPort(config: Config): Promise<Config> {
  const probe = createServer()
  const port = await new Promise<number>((found, failed) => {
    probe.once('error', failed)
    probe.listen(config.port, config.host, () => found((probe.address() as AddressInfo).port))
  }).catch((error: unknown) => {
    throw listenFailure(error, config.host, config.port)
  })
  await new Promise((closed) => probe.close(closed))
  const publicUrl = config.port ? config.publicUrl : config.publicUrl.replace(/:0$/, `:${port}`)
  return Object.freeze({ ...config, port, publicUrl })
}

function asJson({ config, url, seconds, generated, demo, place }: Ready): object {
  return {
    ready: true,
    url,
    public_url: config.publicUrl,
    seconds,
    database: place,
    generated,
    demo,
  }
}
