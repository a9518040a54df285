import { replyDays } from '../records/mail/reply-address.ts'
import type { Queries, Query } from '../kit/ground/context.ts'
import { all, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import type { Expired } from './deleted.ts'
import { expiredRecords } from './deleted.ts'

const hour = 3_600_000
const day = 24 * hour
const batch = 5000

/**
 * Removes expired data: idempotency keys after a day, credentials once they can no
 * longer be replayed, the delivery log after 30 days, deleted records after their retention. In batches, so that no
 * statement locks its rows for long. The log (`events`) is never removed.
 */
export async function housekeeping(runtime: Runtime): Promise<{ [table: string]: number }> {
  const { config } = runtime
  const before = (ms: number) => new Date(+runtime.now() - ms).toISOString()
  const old: [table: string, condition: Query][] = [
    ['idempotency_keys', sql`creation_time < ${before(day)}`],
    ['authorization_codes', sql`expires_at < ${before(day)}`],
    ['refresh_tokens', sql`expires_at < ${before(day)}`],
    ['sessions', sql`expires_at < ${before(day)}`],
    ['access_tokens', sql`expires_at < ${before(day)}`],
    ...(config.signInLogDays
      ? [
          ['sign_ins', sql`creation_time < ${before(config.signInLogDays * day)}`] as [
            string,
            Query,
          ],
        ]
      : []),
    ['openid_returns', sql`expires_at < ${before(day)}`],
    // whoever comes late is offered a new one
    ['mailed_links', sql`expires_at < ${before(30 * day)}`],
    ['browser_sessions', sql`expires_at < ${before(day)}`],
    ['webhook_inspectors', sql`expires_at < ${before(0)}`],
    [
      'deliveries',
      sql`status not in ('pending', 'failing') and creation_time < ${before(30 * day)}`,
    ],
    ['sent_mails', sql`sent_at < ${before(30 * day)}`],
    ['reply_addresses', sql`creation_time < ${before(replyDays * day)}`],
    ['received_mails', sql`creation_time < ${before(30 * day)}`],
    ['quota_counts', sql`ends_at < ${before(day)}`],
    ['meeting_transcripts', sql`expires_at < ${before(0)}`],
    ['survey_theme_readings', sql`creation_time < ${before(90 * day)}`],
    ['merges', sql`creation_time < ${before(30 * day)}`],
    // what undo needs, and the rows themselves; that there was an import is known for a year
    ['import_batches', sql`creation_time < ${before(31 * day)}`],
    ['bulk_writes', sql`creation_time < ${before(31 * day)}`],
    ['import_records', sql`creation_time < ${before(31 * day)}`],
    ['import_errors', sql`creation_time < ${before(31 * day)}`],
    ['imports', sql`creation_time < ${before(365 * day)}`],
    ['notifications', sql`read and creation_time < ${before(90 * day)}`],
    ['account_health_days', sql`day < ${before(1100 * day)}::timestamptz::date`],
    ['record_activity', sql`at < ${before(1100 * day)}`],
    ['external_signature_events', sql`creation_time < ${before(30 * day)}`],
  ]
  const removed: { [table: string]: number } = {}
  // the files of old exports, which are then removed as orphans
  const finished = sql`t.storage_key is not null and t.finished_at < ${before(7 * day)}`
  removed.exports = await inEach(
    runtime,
    'personal_data_requests',
    () => finished,
    ({ run }) =>
      run(sql`update personal_data_requests t set storage_key = null
      where t.organization_id = $organization and ${finished}`),
  )
  const keys = await keysOf(runtime)
  for (const [table, condition] of old)
    removed[table] = await removeAll(runtime, { table, keys }, () => condition)
  // what was attached for a request that ended unsigned, or by somebody who had not signed when it ended
  removed.signature_files = await removeAll(
    runtime,
    { table: 'signature_files', keys },
    (of) => sql`t.recipient_id in (select r.id
      from signature_recipients r
      join signature_requests q on q.organization_id = ${of} and q.id = r.request_id
      where r.organization_id = ${of} and q.status <> 'open' and q.ended_at < ${before(day)}
        and not (q.status = 'signed' and r.status in ('signed', 'approved')))`,
  )
  for (const { table, condition, parts } of expiredRecords) {
    const now = +runtime.now()
    const rows = await removeAll(runtime, { table, keys }, (of) => condition(now, of), parts)
    removed[table] = (removed[table] ?? 0) + rows
  }
  return removed
}

/** A condition over `t`; `organization` is what the rows beside it are of, in SQL. */
type Condition = (organization: Query) => Query

const ours = sql.raw('$organization')

/** Removes the rows that refer to the `gone` ones, or clears the references. */
function withoutNamed({ table, column, module, onRemoval, record }: Expired['parts'][number]) {
  const at = sql.ref(`o.${column}`)
  const ofModule = module ? sql`and ${sql.ref(`o.${module.column}`)} = ${module.number}` : sql``
  const named = sql`o.organization_id = $organization and ${at} = gone.id ${ofModule}`
  if (onRemoval !== 'clear') {
    return sql`delete from ${sql.table(table)} o using gone where ${named}`
  }
  const cleared = [column, ...(module ? [module.column] : [])]
  const changes = cleared.map((name) => sql`${sql.ref(name)} = null`)
  // records have a version, the tables of the service have none
  if (record) changes.push(sql`version = o.version + 1`)
  return sql`update ${sql.table(table)} o set ${sql.join(changes)} from gone where ${named}`
}

/** The key columns of each table: the position of a row (`ctid`) is only valid on one machine. */
async function keysOf(runtime: Runtime): Promise<Map<string, string[]>> {
  const rows = await runtime.database.reads(allOrganizations).all<{
    table: string
    column: string
  }>(sql`
      select c.relname as table, a.attname as column
      from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, its]) => [table, its.map(({ column }) => column)]))
}

/** Dependents are removed in the same statement, at whose end the foreign keys are checked. */
async function removeAll(
  runtime: Runtime,
  { table, keys }: { table: string; keys: Map<string, string[]> },
  condition: Condition,
  parts: Expired['parts'] = [],
): Promise<number> {
  const key = keys.get(table)
  if (!key) throw new Error(`${table} has no key`)
  const own = key.filter((column) => column !== 'organization_id')
  const columns = sql.join(own.map((column) => sql.ref(`t.${column}`)))
  const same = own.map((column) => sql`${sql.ref(`t.${column}`)} = ${sql.ref(`gone.${column}`)}`)
  // locked: a row that is restored meanwhile is skipped, with all its dependents
  const gone = sql`gone as materialized (select ${columns} from ${sql.table(table)} t
    where t.organization_id = $organization and ${condition(ours)} limit ${batch} for update of t skip locked)`
  const removed = parts.map((part, i) => sql`${sql.ref(`part${i}`)} as (${withoutNamed(part)})`)
  const statement = sql`with ${sql.join([gone, ...removed])}
    delete from ${sql.table(table)} t using gone
    where ${all(sql`t.organization_id = $organization`, ...same)}`
  return inEach(runtime, table, condition, ({ run }) => run(statement))
}

/**
 * Runs a function that changes at most a batch of the rows that meet a condition over `t`, in each organization that
 * has some, until none is left. Returns the number of rows.
 */
async function inEach(
  { database }: Runtime,
  table: string,
  condition: Condition,
  change: (queries: Queries) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    const found = await database.reads(allOrganizations).all<{ id: string; rows: number }>(sql`
      select t.organization_id as id, count(*)::integer as rows
      from (select t.organization_id from ${sql.table(table)} t
        where ${condition(sql`t.organization_id`)} limit ${batch}) t group by t.organization_id`)
    let count = 0
    for (const { id } of found) {
      let done = batch
      while (done === batch) {
        done = await database.transaction(id, change)
        count += done
      }
    }
    total += count
    // locked rows are left for the next run
    if (!count || found.reduce((sum, { rows }) => sum + rows, 0) < batch) return total
  }
}
