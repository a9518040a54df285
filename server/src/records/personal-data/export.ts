import { createHash } from 'node:crypto'
import type { Context, Query } from '../../kit/ground/context.ts'
import { storeBytes } from '../../kit/ground/files.ts'
import type { Job } from '../../kit/ground/job.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { linksTo } from '../links.ts'
import type { Person } from './person.ts'
import { lockRequest, personOf, tracesOf } from './request.ts'
import type { Table } from './tables.ts'
import { nextPart, tablesOf } from './tables.ts'

/** The job that exports what is stored of a person, by the id of the request. */
export const exporting = { name: 'export-person' }

/** How many rows of a table an export holds at most. */
const mostRows = 20_000

/** The folder of the store; housekeeping removes the file after its time. */
const exportFolder = 'personal-data'

/**
 * Collects every row that is the person's, names them by id, or mentions them, from every table, as one
 * JSON file. Run twice, it stores the file twice and names the last one.
 */
export const exportPerson: Job<{ request_id: string }> = {
  ...exporting,
  retries: 10,
  async run({ reads, write, signal }, { request_id }) {
    const request = await write((ctx) => lockRequest(ctx, request_id))
    if (!request.sealed) return
    const person = personOf(reads, request)
    const pattern = tracesOf(request, person)
    const data: { [table: string]: unknown[] } = {}
    for (const table of await tablesOf(reads)) {
      const rows: unknown[] = []
      const condition = sql`(t::text ~* ${pattern.source} or ${namesPerson(table, person)})`
      for (let after: string[] | null = null; rows.length < mostRows;) {
        signal.throwIfAborted()
        const part = await nextPart(reads, table, after, condition)
        if (!part.next) break
        after = part.next
        rows.push(...part.found.map(({ values }) => shown(table, values)))
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (rows.length) data[table.name] = rows
    }
    const whole = {
      organization: reads.organization.name,
      exported_at: reads.now().toISOString(),
      person,
      data,
    }
    const bytes = Buffer.from(JSON.stringify(whole, null, 1))
    const key = await storeBytes(reads, bytes, exportFolder, 'application/json')
    await write((ctx) => finish(ctx, request_id, key, bytes))
  },
}

async function finish(ctx: Context, id: string, key: string, bytes: Buffer) {
  const request = await lockRequest(ctx, id)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await ctx.run(sql`update personal_data_requests t set status = 'completed', sealed = null,
      storage_key = ${key}, file_size = ${bytes.length}, file_hash = ${hash},
      finished_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  if (!request.created_by) return
  ctx.emit({
    type: null,
    title: 'Personal data exported',
    module_id: null,
    reference_id: null,
    raw_description: { action: 'exported', module: 'roles', request_id: id },
    notify: [
      {
        user_id: request.created_by,
        notification_type: 9,
        title: 'An export of personal data is ready',
        notification_obj: { request_id: id },
      },
    ],
  })
}

/** Whether a row of `t` names one of the person's records, in any column that does. */
function namesPerson(table: Table, { user_ids, contact_ids }: Person): Query {
  const of = (target: string, ids: string[]) =>
    (linksTo[target] ?? []).flatMap((link) => {
      if (link.table !== table.name || link.isJson || !ids.length) return []
      const named = sql`${sql.ref(`t.${link.column}`)} = any(${ids})`
      const { module } = link
      return [module ? all(named, sql`${sql.ref(`t.${module.column}`)} = ${module.number}`) : named]
    })
  const own =
    table.name === 'users' ? user_ids : table.name === 'contacts' ? contact_ids : ([] as string[])
  const conditions = [
    ...of('users', user_ids),
    ...of('contacts', contact_ids),
    ...(own.length ? [sql`t.id = any(${own})`] : []),
  ]
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`
}

/** A row without credentials: hashes, keys and everything in bytes. */
function shown(table: Table, values: { [column: string]: string | null }) {
  const open = table.columns.filter(
    ({ name, type }) => type !== 'bytea' && !/hash|secret|token|_key$|sealed/.test(name),
  )
  return Object.fromEntries(
    open.flatMap(({ name, kind }) => {
      const value = values[name] ?? null
      if (value === null) return []
      return [[name, kind === 'json' ? (JSON.parse(value) as unknown) : value]]
    }),
  )
}
