import type { Command } from './command.ts'
import { withDatabase } from './open.ts'

/** `perennial migrate` */
export const migrate: Command = {
  summary: 'migrate the database to this version',
  about: `Applies the missing migrations to the database, in one process at a time. The service does the same when
it starts; use this command to migrate in a separate step of the deployment.`,
  examples: ['perennial migrate', 'DATABASE_URL=postgres://… perennial migrate --json'],
  options: {},
  environment: ['DATABASE_URL', 'DATABASE_MIGRATE_URL', 'DATABASE_ALLOW_OWNER', 'DATA_DIR'],
  run: ({ config, terminal }) =>
    withDatabase(config, terminal.note, async ({ applied, place }) => ({
      json: { applied, database: place },
      text: applied.length
        ? `Applied ${applied.join(', ')} to the database (${place})`
        : `The database (${place}) is up to date`,
    })),
}
