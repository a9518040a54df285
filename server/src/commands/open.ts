import { accessSync, constants, existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OrganizationCache } from '../cache.ts'
import { type Config } from '../config.ts'
import { connect, type Database } from '../database/connect.ts'
import { startEmbedded } from '../database/embedded.ts'
import { installationSecrets } from '../database/installation-secrets.ts'
import { migrate } from '../database/migrate.ts'
import { filesFrom } from '../files/open.ts'
import type { Log } from '../kit/ground/context.ts'
// what commands do with records needs the list of them
import '../records/all.ts'
import type { Runtime } from '../runtime.ts'
import { noServices } from '../runtime.ts'
import { loadSecretKey } from '../secrets.ts'
import { databaseFailure, placeOf } from './failure.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** The database, set up, with what a command needs of the service. */
export type Opened = {
  runtime: Runtime
  secretKey: string
  /** migrations applied just now */
  applied: string[]
  /** where the database is, without credentials */
  place: string
  /** the address of the database as the owner of its tables, who may do what the service may not */
  owner: string
  close(): Promise<void>
}

type Ways = {
  log: Log
  /** what the embedded database has to say */
  note(message: string): void
  /** connections for reads and for writes; few for a command, many for the service */
  readers?: number
  writers?: number
}

/**
 * Opens the operator's database or the embedded one, which it starts or joins, and brings it to this
 * version. Throws ConfigError and EmbeddedError.
 */
export async function open(config: Config, ways: Ways): Promise<Opened> {
  const engine = await openEngine(config, ways.note)
  const { url } = engine
  let database: Database | undefined
  let closed: Promise<void> | undefined
  const close = () =>
    (closed ??= (async () => {
      await database?.close()
      await engine.close()
    })())
  try {
    // not before the embedded database, which makes the folder so that its own user may enter
    const secretKey = loadSecretKey(config.secretKey, config.dataDir)
    const { applied, role } = await engine.migrate()
    const { log, readers = config.databasePoolRead, writers } = ways
    database = connect({
      url,
      poolerUrl: config.databasePoolerUrl,
      listenUrl: config.databaseListenUrl,
      log,
      role,
      readers,
      writers,
      lanes: config.lanes,
      resultBytes: config.limits.resultBytes,
    })
    await database.check().catch((error: unknown) => {
      throw databaseFailure(error, url, !config.databaseUrl)
    })
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

/** PostgreSQL itself: the operator's or the embedded one, as it is. */
export type Engine = {
  /** as the service connects */
  url: string
  /** as the owner of the tables connects */
  owner: string
  /** where it is, without credentials */
  place: string
  /** brings it to this version, or applies `only` these migrations */
  migrate(only?: Set<string>): ReturnType<typeof migrate>
  close(): Promise<void>
}

/** Reaches the operator's database, or starts or joins the embedded one; nothing is migrated yet. */
export async function openEngine(config: Config, note: (message: string) => void): Promise<Engine> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl || !config.secretKey) checkFolder(dataDir)
  const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log: note })
  const owner = config.databaseMigrateUrl ?? databaseUrl ?? embedded!.url
  return {
    url: databaseUrl ?? embedded!.service.url,
    owner,
    place: databaseUrl ? placeOf(databaseUrl) : `embedded, in ${dataDir}`,
    migrate: (only) =>
      migrate(owner, {
        ...(embedded?.service ?? ownUser(config)),
        allowOwner: config.databaseAllowOwner,
        only,
      }).catch((error: unknown) => {
        throw databaseFailure(error, owner, !databaseUrl)
      }),
    close: async () => embedded?.stop(),
  }
}

/** The user that the service has of its own, where another one migrates. */
function ownUser({ databaseUrl, databaseMigrateUrl }: Config): { user?: string } {
  if (!databaseUrl || !databaseMigrateUrl) return {}
  return { user: decodeURIComponent(new URL(databaseUrl).username) }
}

/** The same with few connections, for a command that ends soon; closes afterwards. */
export async function withDatabase<T>(
  config: Config,
  note: (message: string) => void,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const say = (_fields: object, message: string) => note(message)
  const log: Log = { info() {}, warn: say, error: say }
  const opened = await open(config, { log, note, readers: 1, writers: 2 })
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}

/**
 * Throws what making the folder would hide: on a read-only disk `mkdir` only says ENOENT, and in
 * places such as /proc, where there can be none, a recursive one never ends.
 */
function checkFolder(dataDir: string) {
  let there = resolve(dataDir)
  let missing: string | undefined
  while (!existsSync(there)) [there, missing] = [dirname(there), there]
  accessSync(there, constants.W_OK)
  if (!missing) return
  try {
    mkdirSync(missing)
    rmdirSync(missing)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // another process that starts at the same time
    if (code === 'EEXIST' || code === 'ENOTEMPTY') return
    if (code !== 'ENOENT') throw error
    throw new ConfigError(`No folder can be made at "${missing}": set DATA_DIR to another place`)
  }
}
