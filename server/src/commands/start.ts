import type { Logger } from 'pino'
import { removeOrganization } from '../archive/remove.ts'
import type { Config } from '../config.ts'
import { type Demo, readDemos, writeDemos } from '../demo/credentials.ts'
import type { Database } from '../database/connect.ts'
import { makeDemo } from '../demo/make.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { collectGarbage } from '../kit/ground/garbage.ts'
import { sql } from '../kit/ground/sql.ts'
import { type Generated, provision, readProvision } from '../provision.ts'
import type { Runtime } from '../runtime.ts'
import { setupLink } from '../setup.ts'
import { type Service, type ServiceOptions, createService } from '../service.ts'
import { warmUp } from '../service/warm-up.ts'
import { openTracing } from '../tracing/open.ts'
import { type Workspace, openWorkspace } from '../workspace/workspace.ts'
import { commandLine } from './again.ts'
import { type Prepared, checkStores, openEngine } from './engine.ts'
import { listenFailure, sentenceOf } from './failure.ts'
import { type Life, lifeUnderParent, stopPatience } from './life.ts'
import { type Opened, open } from './open.ts'
import { asOwner } from './owner.ts'
import { localUrl, warnOfOthers } from './servers.ts'
import { measuredByAll, handleOrders, processNumber, report } from './supervised.ts'
import { drainMs, replaceSignal, supervise } from './supervisor.ts'
import { version } from './version.ts'
import { type Ready, answers } from './welcome.ts'

/** How long idle connections stay open after a signal, because a request may be on its way; in milliseconds. */
const linger = 500

/** The context of a start, whose port is free. */
export type Start = {
  config: Config
  log: Logger
  life: Life
  /** lets go of a port that was held for this start */
  releasePort(): Promise<void>
  /** whether this start creates the data folder */
  isNew: boolean
  /** the database, if it is already being prepared */
  prepared?: Promise<Prepared> | undefined
  /** a message for the operator: on the terminal until the service is up, then in the log */
  note(message: string): void
  /** a message for those who wait for the start, before it is complete */
  say(message: string): void
  isUp: boolean
}

/**
 * One process that does everything. It answers as soon as the database is migrated, while it still writes the
 * demonstration of a first start; before that, only declared organizations must exist.
 */
export async function startOne(begun: Start): Promise<Ready> {
  const { config, log, life } = begun
  const { opened, workspace, make, makesDemo } = await prepare(begun)
  // in parallel: this process builds the service while the database writes
  const making = make()
  const written = Promise.allSettled([making])
  life.atEnd(async () => void (await written))
  const preparing = makesDemo ? making : undefined
  const service = await build(config, opened, { log, workspace, preparing })
  if (!makesDemo) await making
  await begun.releasePort()
  await listen(config, service)
  life.atEnd(() => service.close({ linger, deadline: config.stopTimeout * 1000 }))
  if (preparing && opened.applied.length) begun.say(answers(localUrl(config)))
  const made = await making
  await startWork(config, opened.runtime.database, service, workspace)
  begun.isUp = true
  return describe(opened.runtime, { ...made, place: opened.place })
}

/** A parent that sets everything up, owns the embedded database and the port, and starts the others. */
export async function startProcesses(begun: Start): Promise<Ready> {
  const { config, log, life } = begun
  const { opened, workspace, make } = await prepare(begun)
  const made = await make()
  const ready = await describe(opened.runtime, { ...made, place: opened.place })
  const engine = await openEngine(config, {
    note: (message) => log.warn({}, message),
    endsOnSignal: false,
  })
  life.atEnd(() => engine.close())
  await opened.close()
  // once, instead of in each of them
  await workspace.settled
  const supervisor = supervise(config, log, async () => {
    const screens = screensOf(config, log)
    life.atEnd(() => screens.stop())
    await screens.settled
  })
  life.atEnd(() => supervisor.stop(linger))
  await begun.releasePort()
  await supervisor.start()
  process.on(replaceSignal, () => {
    supervisor.replaceAll().catch((err: unknown) => log.error({ err }, 'replacing failed'))
  })
  begun.isUp = true
  return { ...ready, seconds: process.uptime() }
}

/** One of several processes: its parent has set everything up. */
export async function startUnderParent(config: Config, log: Logger): Promise<undefined> {
  let rest = linger
  const life = lifeUnderParent(log, drainMs + stopPatience(config))
  const starting = (async () => {
    const workspace = screensOf(config, log)
    life.atEnd(() => workspace.stop())
    const opened = await open(config, {
      log,
      note: (message) => log.warn({}, message),
      isEnding: life.isEnding,
    })
    life.atEnd(() => opened.close())
    const siblings = { process: processNumber, measured: measuredByAll }
    const service = await listen(config, await build(config, opened, { log, workspace, siblings }))
    life.atEnd(() => service.close({ linger: rest, deadline: rest + config.stopTimeout * 1000 }))
    await startWork(config, opened.runtime.database, service, workspace)
    return service
  })()
  life.begins(starting)
  handleOrders({
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
 * Opens the database and the screens; `make` then applies the provision file, or creates the demonstration
 * of a first start.
 */
async function prepare({ config, log, life, note, isNew, prepared }: Start) {
  const declared = config.provisionFile ? readProvision(config.provisionFile) : undefined
  checkStores(config)
  // while the database starts
  const workspace = screensOf(config, log)
  life.atEnd(() => workspace.stop())
  const opened = await open(config, { log, note, prepared, isEnding: life.isEnding })
  life.atEnd(() => opened.close())
  if (isNew) warnOfOthers(config, note, life)
  const { runtime } = opened
  const isFirst = !declared && !config.databaseUrl
  const make = async () => ({
    generated: declared ? await provision(runtime, config.provisionFile!, declared) : [],
    demo: isFirst ? await firstDemo(runtime) : undefined,
  })
  return { opened, workspace, make, makesDemo: isFirst }
}

function screensOf(config: Config, log: Logger): Workspace {
  return openWorkspace(config.role === 'worker' ? 'off' : config.workspace, log)
}

/** The service, ready to listen. */
async function build(
  config: Config,
  opened: Opened,
  parts: Pick<ServiceOptions, 'log' | 'workspace' | 'siblings' | 'preparing'>,
): Promise<Service> {
  const { runtime, secretKey } = opened
  const { database, secrets } = runtime
  const tracing = await openTracing(config, version(), parts.log)
  const service = await createService({
    config,
    database,
    secretKey,
    secrets,
    tracing,
    removeOrganization: (id) =>
      asOwner(opened, ({ owner }) => removeOrganization(owner, runtime.files, id)),
    ...parts,
  })
  await service.app.ready()
  return service
}

async function listen(config: Config, service: Service): Promise<Service> {
  const { host, port } = config
  await service.listen({ host, port }).catch((error: unknown) => {
    throw listenFailure(error, host, port)
  })
  return service
}

/** Starts background work, and then prepares for requests. */
async function startWork(
  { role, host, inboundPort }: Config,
  database: Database,
  service: Service,
  { settled }: Workspace,
): Promise<void> {
  const starting = service.start().catch((error: NodeJS.ErrnoException) => {
    // the service already listens on its own port, so this error is about the port for replies by mail
    const isPort = error.syscall === 'listen'
    throw isPort
      ? listenFailure(error, host, inboundPort, 'mail_inbound_port in CONFIG_FILE')
      : error
  })
  // V8 would hold the start's garbage, about 100 MB, while little happens; collect it while waiting for the database
  setImmediate(collectGarbage)
  await starting
  database.started()
  // people wait for the build of the screens, which needs every processor
  if (role !== 'worker') void settled.then(() => warmUp(service.routes))
}

/** The demonstration of a first start; undefined if there already is an organization. */
function firstDemo(runtime: Runtime): Promise<Demo | undefined> {
  const { dataDir } = runtime.config
  return makeDemo(runtime, {
    onlyFirst: true,
    // an older file belongs to a database that no longer exists
    keep: (demo) => writeDemos(dataDir, { url: null, demos: [demo] }),
  })
}

type Made = { generated: Generated[]; demo: Demo | undefined; place: string }

async function describe(runtime: Runtime, { generated, demo, place }: Made): Promise<Ready> {
  const { config, database } = runtime
  const reading = database.reads(allOrganizations).all<{ id: string; is_demo_data: boolean }>(
    sql`select organization_id as id, is_demo_data from organizations
        order by organization_id limit 10000`,
  )
  // a machine of Citus that is down keeps the organizations of the others from nothing
  const rows = await reading.catch((error: unknown) => {
    if (database.isDistributed) return undefined
    throw error
  })
  const there = new Set(rows?.map(({ id }) => id))
  const stored = readDemos(config.dataDir)
  const demos = stored.demos.filter(({ organization_id }) => there.has(organization_id))
  const url = localUrl(config)
  if (demos.length && stored.url !== url) writeDemos(config.dataDir, { url, demos: stored.demos })
  // since the process began, including loading
  const seconds = process.uptime()
  return {
    config,
    url,
    seconds,
    place,
    generated,
    demo,
    demos,
    setup: rows?.every(({ is_demo_data }) => is_demo_data) ? setupLink(runtime) : undefined,
    isEmpty: rows?.length === 0,
    again: commandLine(config.dataDir),
  }
}
