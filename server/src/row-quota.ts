import type { Database } from './database/connect.ts'
import { allOrganizations, type Log } from './kit/ground/context.ts'
import { Failure } from './kit/ground/errors.ts'
import type { RowQuota, Storing } from './kit/ground/services.ts'
import { sql } from './kit/ground/sql.ts'

/** Milliseconds after which a process looks again who is over the quota; the count itself is a job every 20 minutes. */
const freshMs = 60_000

/** Updates of these stay possible: they end what fills the database, or keep people out. */
const administration = new Set(['apps', 'roles', 'users'])

/**
 * Refuses writes of organizations whose rows have more than `limit` bytes (0 is no limit), by the last count.
 * Who that is, each process reads at most once a minute, beside its requests.
 */
export function rowQuota(database: Database, limit: number, log: Log): RowQuota {
  let over = new Map<string, number>()
  let readAt = -Infinity
  const refresh = async () => {
    if (!limit) return
    readAt = performance.now()
    const rows = await database.reads(allOrganizations).all<{ id: string; bytes: number }>(sql`
      select t.organization_id as id, t.bytes::float8 as bytes from row_usage t
      where t.bytes > ${limit}`)
    over = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  }
  const usedOver = (organization: string): number | undefined => {
    if (!limit) return undefined
    if (performance.now() - readAt > freshMs) {
      refresh().catch((err: unknown) => log.warn({ err }, 'the quota of rows was not read'))
    }
    return over.get(organization)
  }
  return {
    refresh,
    check(organization, operation) {
      const used = storesMore(operation) ? usedOver(organization) : undefined
      if (used !== undefined) throw isFull(used, limit)
    },
    checkAnswer(organization) {
      if (usedOver(organization) === undefined) return
      const message = 'Answers cannot be stored at the moment: tell the organization that asked'
      throw new Failure(413, 'row_quota_exceeded', message)
    },
  }
}

/** Whether an operation creates or changes records: deletes, reads, exports and sign-ins go on. */
function storesMore({ writes, can, mayFree }: Storing): boolean {
  if (!writes || mayFree || typeof can === 'string') return false
  if (can.action === 'update') return !administration.has(can.module)
  return can.action === 'create'
}

function isFull(used: number, limit: number): Failure {
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
  return new Failure(
    413,
    'row_quota_exceeded',
    `The organization stores ${mebibytes(used)} of ${mebibytes(limit)} MiB of rows: delete what is no longer needed; ` +
      'rows are counted every 20 minutes',
    { data: { limit, used } },
  )
}
