import type { Cell } from '../archive/move.ts'
import { setOnMachines } from '../database/citus.ts'
import { settingsOnMachines } from '../database/client.ts'
import { connect } from '../database/connect.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Opened } from './open.ts'

/** Runs something with a connection of the tables' owner besides that of the service; ConfigError if it is another user. */
export async function asOwner<T>(
  { runtime, owner, place }: Opened,
  run: (cell: Cell) => Promise<T>,
): Promise<T> {
  const { isDistributed } = runtime.database
  const { log } = runtime
  const options = { url: owner, role: null, isDistributed, log, writers: 1, readers: 1 }
  if (isDistributed) await setOnMachines(owner, null, settingsOnMachines(options))
  const database = connect(options)
  try {
    const user = await database
      .reads(allOrganizations)
      .one<{ may_remove: boolean }>(
        sql`select has_table_privilege('events', 'delete') as may_remove`,
      )
    if (!user?.may_remove) {
      throw new ConfigError(
        `Only the owner of the tables may remove an organization from the database (${place}): name it in DATABASE_MIGRATE_URL`,
      )
    }
    return await run({ runtime, owner: database })
  } finally {
    await database.close()
  }
}
