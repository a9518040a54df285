import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Demo, readDemos, writeDemos } from '../demo/credentials.ts'
import { makeDemo } from '../demo/make.ts'
import { collectGarbage } from '../kit/ground/garbage.ts'
import { sql } from '../kit/ground/sql.ts'
import { makeLog } from '../log.ts'
import { type Generated, provision, readProvision } from '../provision.ts'
import type { Runtime } from '../runtime.ts'
import { type Service, type ServiceOptions, createService } from '../service.ts'
import { warmUp } from '../service/warm-up.ts'
import { commandLine } from './again.ts'
import { environment } from './environment.ts'
import type { Command, Terminal } from './command.ts'
import { listenFailure, sentenceOf } from './failure.ts'
import { type Life, lifeUnderParent, lifeUntilSignal, stopPatience } from './life.ts'
import { type Opened, open, openEngine } from './open.ts'
import { joinServers, warningOf } from './servers.ts'
import { isSupervised, measuredByAll, obey, processNumber, report } from './supervised.ts'
import { drainMs, supervise } from './supervisor.ts'
import { openTracing } from '../tracing/open.ts'
import { version } from './version.ts'
import { type Ready, welcome } from './welcome.ts'
import { type Workspace, openWorkspace } from '../workspace/workspace.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** Connections at rest stay this long after a signal: a request may be on its way; milliseconds. */
const linger = 500
/** What replaces the processes one after another. */
const replaceSignal = 'SIGUSR2'

/** `perennial serve` */
export const serve: Command = {
  summary: 'start the service',
  about: `Starts the service: opens the database (its own PostgreSQL in the data folder, or DATABASE_URL), brings
it to this version, applies the provision file, and listens. Without a database and a provision file of
yours the first start makes a demonstration organization and shows how to sign in. A process with the role
web answers requests and leaves jobs and deliveries to those with the role worker, which answer nothing
but /livez, /readyz and /metrics. SIGTERM and Ctrl-C stop
it without dropping a request; a second one stops it at once. With --processes several share the port: this
one starts them, starts another when one ends, and on SIGUSR2 replaces them one after another, such as by those
of a new version, without failing a request.`,
  examples: [
    'perennial serve',
    'PORT=8080 perennial serve --provision provision.json',
    'perennial serve --role web',
    'perennial serve --processes 4',
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
    processes: {
      value: 'N',
      variable: 'PROCESSES',
      about: 'how many processes share the port, instead of PROCESSES',
    },
    port: { value: 'PORT', variable: 'PORT', about: 'the port, instead of PORT' },
    host: { value: 'HOST', variable: 'HOST', about: 'the address, instead of HOST' },
  },
  environment: Object.keys(environment),
  async run({ config, isJson, terminal }) {
    const log = makeLog(config.logLevel)
    if (isSupervised) return serveUnderParent(config, log)
    const isParent = config.processes > 1
    const life = lifeUntilSignal(log, {
      patience: stopPatience(config) + (isParent ? 5000 : 0),
      skip: isParent ? [replaceSignal] : [],
    })
    const begin = isParent ? startProcesses : start
    const starting = withPort(config).then((found) => begin(found, log, terminal, life))
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

/** One process that does everything. */
async function start(config: Config, log: Logger, terminal: Terminal, life: Life): Promise<Ready> {
  const said = { isUp: false }
  const { opened, workspace, made } = await prepare(config, log, terminal, life, said)
  const service = await listen(config, opened, { log, workspace })
  life.atEnd(() => service.close({ linger, deadline: config.stopTimeout * 1000 }))
  await service.start()
  said.isUp = true
  return describe(opened.runtime, { ...made, place: opened.place })
}

/** A parent that sets everything up, keeps the embedded database and the port, and starts the others. */
async function startProcesses(
  config: Config,
  log: Logger,
  terminal: Terminal,
  life: Life,
): Promise<Ready> {
  const said = { isUp: false }
  const { opened, workspace, made } = await prepare(config, log, terminal, life, said)
  const ready = await describe(opened.runtime, { ...made, place: opened.place })
  const engine = await openEngine(config, (message) => log.warn({}, message))
  life.atEnd(() => engine.close())
  await opened.close()
  // once, and not by each of them
  await workspace.settled
  const supervisor = supervise(config, log, async () => {
    const screens = screensOf(config, log)
    life.atEnd(() => screens.stop())
    await screens.settled
  })
  life.atEnd(() => supervisor.stop(linger))
  await supervisor.start()
  process.on(replaceSignal, () => {
    supervisor.replaceAll().catch((err: unknown) => log.error({ err }, 'replacing failed'))
  })
  said.isUp = true
  return { ...ready, seconds: process.uptime() }
}

/** One of several processes: its parent has set everything up. */
async function serveUnderParent(config: Config, log: Logger): Promise<undefined> {
  let rest = linger
  const life = lifeUnderParent(log, drainMs + stopPatience(config))
  const starting = (async () => {
    const workspace = screensOf(config, log)
    life.atEnd(() => workspace.stop())
    const opened = await open(config, { log, note: (message) => log.warn({}, message) })
    life.atEnd(() => opened.close())
    const siblings = { process: processNumber, measured: measuredByAll }
    const service = await listen(config, opened, { log, workspace, siblings })
    life.atEnd(() => service.close({ linger: rest, deadline: rest + config.stopTimeout * 1000 }))
    await service.start()
    return service
  })()
  life.begins(starting)
  obey({
    life,
    linger: (ms) => void (rest = ms),
    refuse: async () => (await starting).refuse(),
    metrics: async () => (await starting).operations.measured(),
  })
  try {
    await starting
    report({ type: 'ready' })
  } catch (error) {
    if (life.isEnding()) return undefined
    const sentence = sentenceOf(error)
    if (sentence === undefined) log.fatal({ err: error }, 'the start failed')
    report({ type: 'failed', sentence: sentence ?? 'its log says why' })
    await life.end()
    process.exit(1)
  }
  return undefined
}

/**
 * Opens the database and the screens, and makes what the provision file declares, or the demonstration of a
 * first start. Messages go to the terminal until the service `isUp`.
 */
async function prepare(
  config: Config,
  log: Logger,
  terminal: Terminal,
  life: Life,
  said: { isUp: boolean },
) {
  const declared = config.provisionFile ? readProvision(config.provisionFile) : undefined
  const note = (message: string) => (said.isUp ? log.warn({}, message) : terminal.note(message))
  // a folder that is yet to be made has no servers, and PostgreSQL's own user must be able to enter it
  const isNew = !existsSync(config.dataDir)
  if (!isNew) warnOfOthers(config, note, life)
  // while the database starts
  const workspace = screensOf(config, log)
  life.atEnd(() => workspace.stop())
  const opened = await open(config, { log, note })
  life.atEnd(() => opened.close())
  if (isNew) warnOfOthers(config, note, life)
  const { runtime } = opened
  const generated = declared ? await provision(runtime, config.provisionFile!, declared) : []
  const isFirst = !declared && !config.databaseUrl
  const demo = isFirst ? await firstDemo(runtime) : undefined
  return { opened, workspace, made: { generated, demo } }
}

function screensOf(config: Config, log: Logger): Workspace {
  return openWorkspace(config.role === 'worker' ? 'off' : config.workspace, log)
}

async function listen(
  config: Config,
  { runtime, secretKey }: Opened,
  parts: Pick<ServiceOptions, 'log' | 'workspace' | 'siblings'>,
): Promise<Service> {
  const { database, secrets } = runtime
  const tracing = await openTracing(config, version(), parts.log)
  const service = await createService({ config, database, secretKey, secrets, tracing, ...parts })
  const { host, port } = config
  await service.app.ready()
  // what a start leaves behind, about 100 MB, V8 holds for as long as little happens
  collectGarbage()
  await service.listen({ host, port }).catch((error: unknown) => {
    throw listenFailure(error, host, port)
  })
  if (config.role !== 'worker') void warmUp(service.routes)
  return service
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
