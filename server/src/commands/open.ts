import { OrganizationCache } from '../cache.ts'
import { type Config } from '../config.ts'
import { setOnMachines } from '../database/citus.ts'
import { settingsOnMachines } from '../database/client.ts'
import { connect, type Database } from '../database/connect.ts'
import { type Waiting, whileStarting } from '../database/while-starting.ts'
import { firstSecretKey, installationSecrets } from '../database/installation-secrets.ts'
import { filesFrom } from '../files/open.ts'
import type { Log } from '../kit/ground/context.ts'
// commands that use records need the list of them
import { records } from '../model/all.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { checkFilters } from './filter-columns.ts'
import type { Runtime } from '../runtime.ts'
import { noServices } from '../runtime.ts'
import { type Prepared, prepareEngine } from './engine.ts'
import { databaseFailure } from './failure.ts'
import { besideDatabase, reach } from './reach.ts'

/** The migrated database, with the parts of the service that a command needs. */
export type Opened = {
  runtime: Runtime
  secretKey: string
  /** migrations applied just now */
  applied: string[]
  /** the address of the database, without credentials */
  place: string
  /** the database URL of the owner of the tables, who may do what the service may not */
  owner: string
  close(): Promise<void>
}

type Ways = {
  log: Log
  /** messages of the embedded database */
  note(message: string): void
  isEnding?: Waiting['isEnding']
  /** the database, if it is already being prepared */
  prepared?: Promise<Prepared> | undefined
  /** connections for reads and for writes; few for a command, many for the service */
  readers?: number
  writers?: number
}

/**
 * Opens the operator's database or the embedded one, which it starts or joins, and migrates it to this
 * version. Throws ConfigError and EmbeddedError.
 */
export async function open(config: Config, ways: Ways): Promise<Opened> {
  const prepared = await (ways.prepared ?? prepareEngine(config, { ...ways, endsOnSignal: false }))
  const { engine, applied, role, isDistributed } = prepared
  const { url } = engine
  let database: Database | undefined
  let closed: Promise<void> | undefined
  const close = () =>
    (closed ??= (async () => {
      await database?.close()
      await engine.close()
    })())
  try {
    const { log, readers = config.databasePoolRead, writers } = ways
    const options = {
      url,
      poolerUrl: config.databasePoolerUrl,
      listenUrl: config.databaseListenUrl,
      log,
      role,
      isDistributed,
      readers,
      writers,
      lanes: config.lanes,
      resultBytes: config.limits.resultBytes,
      isStarting: true,
    }
    if (isDistributed) await setOnMachines(url, role, settingsOnMachines(options))
    database = connect(options)
    const waiting = { note: ways.note, isEnding: ways.isEnding }
    // each separately, so that the error names its setting; without notifications the service would work, but slowly
    for (const beside of besideDatabase(config)) {
      const client = await reach(beside.url, beside.setting, waiting)
      await client.end()
    }
    const check = database.check
    await whileStarting(check, waiting).catch((error: unknown) => {
      throw databaseFailure(error, url, config.databaseUrl ? 'DATABASE_URL' : undefined)
    })
    await checkFilters(database.reads(allOrganizations), records)
    const secretKey = prepared.secretKey ?? (await firstSecretKey(database, config.dataDir))
    const runtime: Runtime = {
      config,
      database,
      cache: new OrganizationCache(() => false),
      secrets: await installationSecrets(database, secretKey, config.previousSecretKey),
      files: filesFrom(config),
      log,
      now: () => new Date(),
      services: noServices,
      wakeJobs: () => {},
    }
    const { owner, place } = engine
    return { runtime, secretKey, applied, place, owner, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The same with few connections, for a command. */
export function openForCommand(
  config: Config,
  note: (message: string) => void,
  prepared?: Promise<Prepared>,
): Promise<Opened> {
  const say = (_fields: object, message: string) => note(message)
  const log: Log = { info() {}, warn: say, error: say }
  return open(config, { log, note, prepared, readers: 1, writers: 2 })
}

/** The same; closes afterwards. */
export async function withDatabase<T>(
  config: Config,
  note: (message: string) => void,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const prepared = prepareEngine(config, { note, endsOnSignal: true })
  const opened = await openForCommand(config, note, prepared)
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
