import pg from 'pg'
import type { Config } from '../config.ts'
import { connectMs, type Waiting, whileStarting } from '../database/while-starting.ts'
import type { DatabaseSetting } from './failure.ts'
import { databaseFailure } from './failure.ts'

/**
 * One connection to the database of a setting, undefined for the embedded database, for which it waits while it is
 * starting. Throws a ConfigError that names the setting if it fails.
 */
export async function reach(
  url: string,
  setting: DatabaseSetting | undefined,
  waiting: Waiting = {},
): Promise<pg.Client> {
  try {
    return await whileStarting(async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs })
      client.on('error', () => {})
      await client.connect()
      return client
    }, waiting)
  } catch (error) {
    throw databaseFailure(error, url, setting)
  }
}

/** The databases in settings besides DATABASE_URL: for the owner of the tables, a pooler, and for notifications. */
export function besideDatabase(config: Config): { setting: DatabaseSetting; url: string }[] {
  const urls: [DatabaseSetting, string | null][] = [
    ['DATABASE_MIGRATE_URL', config.databaseMigrateUrl],
    ['DATABASE_POOLER_URL', config.databasePoolerUrl],
    ['DATABASE_LISTEN_URL', config.databaseListenUrl],
  ]
  return urls.flatMap(([setting, url]) => (url ? [{ setting, url }] : []))
}
