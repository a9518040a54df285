import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { startEmbedded } from '../database/embedded.ts'
import type { Migrated } from '../database/migrate.ts'
import { migrate } from '../database/migrate.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { ifInterrupted } from '../kit/ground/interruption.ts'
import { knownSecretKey } from '../secrets.ts'
import type { DatabaseSetting } from './failure.ts'
import { databaseFailure, placeOf } from './failure.ts'

/** PostgreSQL itself, the operator's or the embedded one, in its present state. */
export type Engine = {
  /** connects like the service */
  url: string
  /** connects like the owner of the tables */
  owner: string
  /** explains an error of the owner's connection to the operator */
  ownerFailure(error: unknown): unknown
  /** its address, without credentials */
  place: string
  /** migrates it to this version, or applies `only` these migrations */
  migrate(only?: Set<string>): Promise<Migrated>
  close(): Promise<void>
}

type Opening = {
  note(message: string): void
  /** whether the process is to end, so that it waits for no database */
  isEnding?: (() => boolean) | undefined
  /** whether a signal that ends the process stops the embedded database; the service does so itself */
  endsOnSignal: boolean
}

/** Connects to the operator's database, or starts or joins the embedded one, without migrating. */
export async function openEngine(
  config: Config,
  { note, isEnding, endsOnSignal }: Opening,
): Promise<Engine> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl || !config.secretKey) checkFolder(dataDir)
  const starting = databaseUrl ? undefined : startEmbedded({ dataDir, log: note })
  const stop = async () => (await starting)?.stop()
  const forget = endsOnSignal ? ifInterrupted(stop) : () => {}
  starting?.catch(forget)
  const embedded = await starting
  const owner = config.databaseMigrateUrl ?? databaseUrl ?? embedded!.url
  const ownerFailure = (error: unknown) => databaseFailure(error, owner, ownerSetting(config))
  return {
    url: databaseUrl ?? embedded!.service.url,
    owner,
    ownerFailure,
    place: databaseUrl ? placeOf(databaseUrl) : `embedded, in ${dataDir}`,
    migrate: (only) =>
      migrate(owner, {
        ...(embedded?.service ?? ownUser(config)),
        allowOwner: config.databaseAllowOwner,
        only,
        waiting: { note, isEnding },
      }).catch((error: unknown) => {
        throw ownerFailure(error)
      }),
    close: async () => {
      await stop()
      forget()
    },
  }
}

/** A database of this version, and the key of its secrets, if there is one yet. */
export type Prepared = Migrated & { engine: Engine; secretKey: string | undefined }

/** Opens the engine and migrates it to this version. Throws ConfigError and EmbeddedError. */
export async function prepareEngine(config: Config, opening: Opening): Promise<Prepared> {
  const engine = await openEngine(config, opening)
  try {
    // after the embedded database, which creates the folder so that its own user may enter
    const secretKey = knownSecretKey(config.secretKey, config.dataDir)
    return { engine, secretKey, ...(await engine.migrate()) }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The setting for the owner's connection to the database. */
function ownerSetting({ databaseUrl, databaseMigrateUrl }: Config): DatabaseSetting | undefined {
  if (databaseMigrateUrl) return 'DATABASE_MIGRATE_URL'
  return databaseUrl ? 'DATABASE_URL' : undefined
}

/** The service's own user, if another one migrates. */
function ownUser({ databaseUrl, databaseMigrateUrl }: Config): { user?: string } {
  if (!databaseUrl || !databaseMigrateUrl) return {}
  return { user: decodeURIComponent(new URL(databaseUrl).username) }
}

/** Throws if the service stores files or mails in the data folder, and cannot. */
export function checkStores({ dataDir, s3, smtpUrl }: Config): void {
  if (!s3 || !smtpUrl) checkFolder(dataDir)
}

/**
 * Throws errors that creating the folder would hide: on a read-only disk `mkdir` only reports ENOENT, and in
 * places such as /proc, where there can be none, a recursive one never ends.
 */
function checkFolder(dataDir: string) {
  let there = resolve(dataDir)
  let missing: string | undefined
  while (!existsSync(there)) [there, missing] = [dirname(there), there]
  accessSync(there, constants.W_OK)
  if (!statSync(there).isDirectory()) {
    throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR', path: there })
  }
  if (!missing) return
  try {
    mkdirSync(missing)
    rmdirSync(missing)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // created by another process that starts at the same time
    if (code === 'EEXIST' || code === 'ENOTEMPTY') return
    if (code !== 'ENOENT') throw error
    throw new ConfigError(`No folder can be made at "${missing}": set DATA_DIR to another place`)
  }
}
