import type { Query } from '../kit/ground/context.ts'
import { all, sql } from '../kit/ground/sql.ts'
import { linksTo } from '../records/merging/links.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

const hour = 3_600_000
const day = 24 * hour
const batch = 5000

/**
 * Removes what has served its time: idempotency keys after a day, credentials once they can no
 * longer be replayed, the delivery log and deleted records after 30 days. In batches, so that no
 * statement holds its rows for long. What happened (`events`) is kept.
 */
export async function housekeeping(runtime: Runtime): Promise<{ [table: string]: number }> {
  const before = (ms: number) => new Date(+runtime.now() - ms).toISOString()
  const old: [table: string, condition: Query][] = [
    ['idempotency_keys', sql`creation_time < ${before(day)}`],
    ['authorization_codes', sql`expires_at < ${before(day)}`],
    ['refresh_tokens', sql`expires_at < ${before(day)}`],
    ['sessions', sql`expires_at < ${before(day)}`],
    ['browser_sessions', sql`expires_at < ${before(day)}`],
    [
      'deliveries',
      sql`status not in ('pending', 'failing') and creation_time < ${before(30 * day)}`,
    ],
    ['sent_mails', sql`sent_at < ${before(30 * day)}`],
    ['merges', sql`creation_time < ${before(30 * day)}`],
    ['documents', sql`deleted_at < ${before(30 * day)}`],
    // what undo needs, and the rows themselves; that there was an import is known for a year
    ['import_batches', sql`creation_time < ${before(31 * day)}`],
    ['import_records', sql`creation_time < ${before(31 * day)}`],
    ['import_errors', sql`creation_time < ${before(31 * day)}`],
    ['imports', sql`creation_time < ${before(365 * day)}`],
    // those that others still point to go once the others are gone
    ...['tasks', 'milestones', 'projects', 'templates', 'holiday_sets', 'accounts'].map(
      (table): [string, Query] => [
        table,
        all(sql`deleted_at < ${before(30 * day)}`, free(pointsTo[table]!)),
      ],
    ),
    ['contacts', all(sql`deleted_at < ${before(30 * day)}`, unlinked('contacts'))],
    ['companies', all(sql`deleted_at < ${before(30 * day)}`, unlinked('companies'))],
    ['tags', sql`deleted_at < ${before(30 * day)}`],
    ['surveys', sql`deleted_at < ${before(30 * day)}`],
    ['meetings', sql`deleted_at < ${before(30 * day)}`],
    ['meeting_insights', sql`deleted_at < ${before(30 * day)}`],
    ['interactions', sql`deleted_at < ${before(30 * day)}`],
    ['notifications', sql`read and creation_time < ${before(90 * day)}`],
    ['dashboards', sql`deleted_at < ${before(30 * day)}`],
    ['filters', sql`deleted_at < ${before(30 * day)}`],
    ['external_signature_events', sql`creation_time < ${before(30 * day)}`],
  ]
  const removed: { [table: string]: number } = {}
  for (const [table, condition] of old) removed[table] = await removeAll(runtime, table, condition)
  return removed
}

type Link = { table: string; column: string }
const link = (table: string, column: string): Link => ({ table, column })

/** What keeps a deleted row, by its table: the foreign keys would refuse, or take a living row along. */
const pointsTo: { [table: string]: Link[] } = {
  tasks: [link('tasks', 'parent_id'), link('tasks', 'parent_recurring_id')],
  milestones: [link('tasks', 'milestone_id')],
  projects: [
    link('tasks', 'project_id'),
    link('milestones', 'project_id'),
    link('meetings', 'project_id'),
    link('projects', 'converted_from'),
    link('documents', 'project_id'),
  ],
  templates: [link('projects', 'template_id')],
  holiday_sets: [link('projects', 'holidays_id')],
  accounts: [
    link('projects', 'account_id'),
    link('tasks', 'account_id'),
    link('users', 'account_id'),
    link('surveys', 'account_id'),
    link('documents', 'account_id'),
  ],
}

/** Whether nothing points to the row `t` of a module whose records can be merged. */
function unlinked(module: string): Query {
  return free(linksTo[module] ?? [])
}

/** Whether the row `t` is named by none of these columns. */
function free(links: Link[]): Query {
  return all(
    ...links.map(
      ({ table, column }) => sql`not exists (select from ${sql.table(table)} o
        where o.organization_id = t.organization_id and ${sql.ref(`o.${column}`)} = t.id)`,
    ),
  )
}

async function removeAll(runtime: Runtime, table: string, condition: Query): Promise<number> {
  let total = 0
  for (;;) {
    const rows = await runtime.database.transaction(allOrganizations, (queries) =>
      queries.run(sql`delete from ${sql.table(table)} where ctid in (
        select t.ctid from ${sql.table(table)} t where ${condition} limit ${batch})`),
    )
    total += rows
    if (rows < batch) return total
  }
}
