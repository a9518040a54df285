import type { Command } from './command.ts'
import { withDatabase } from './open.ts'

/** `perennial migrate` */
export const migrate: Command = {
  summary: 'bring the database to this version',
  about: `Applies the migrations that the database does not have yet, one process at a time. The service does
the same when it starts; run it beforehand where the deployment wants the two apart.`,
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
