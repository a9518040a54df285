import pg from 'pg'
import type { Config } from '../config.ts'
import type { DatabaseSetting } from './failure.ts'
import { databaseFailure } from './failure.ts'

/**
 * One connection to what a setting names, undefined for the embedded database. Throws a ConfigError that names
 * the setting where it cannot be had.
 */
export async function reach(url: string, setting: DatabaseSetting | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    throw databaseFailure(error, url, setting)
  }
}

/** What is named beside DATABASE_URL: the owner of the tables, a pooler, and where notifications are heard. */
export function besideDatabase(config: Config): { setting: DatabaseSetting; url: string }[] {
  const urls: [DatabaseSetting, string | null][] = [
    ['DATABASE_MIGRATE_URL', config.databaseMigrateUrl],
    ['DATABASE_POOLER_URL', config.databasePoolerUrl],
    ['DATABASE_LISTEN_URL', config.databaseListenUrl],
  ]
  return urls.flatMap(([setting, url]) => (url ? [{ setting, url }] : []))
}
