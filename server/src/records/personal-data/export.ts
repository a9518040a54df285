import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { Context, Query } from '../../kit/ground/context.ts'
import { withTemporaryFile } from '../../kit/ground/files.ts'
import { storeFile } from '../../kit/ground/stored-files.ts'
import type { Job } from '../../kit/ground/job.ts'
import { retriesOfADay } from '../../kit/ground/job.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { linksTo } from '../links/links.ts'
import type { Pattern } from './pattern.ts'
import type { Person } from './person.ts'
import { lockRequest, personOf, tracesOf } from './request.ts'
import type { Table } from '../../kit/read/tenant-tables.ts'
import { nextPart, tablesOf } from './tables.ts'

/** The job that exports what is stored of a person, by the id of the request. */
export const exporting = { name: 'export-person' }

/** The maximum number of rows of one table in an export. */
const mostRows = 20_000

/** The folder in the file store; housekeeping removes expired files. */
const exportFolder = 'personal-data'

/**
 * Collects every row that belongs to the person, refers to them by id, or mentions them, from every table, in one
 * JSON file. If it runs twice, it stores two files and refers to the last one.
 */
export const exportPerson: Job<{ request_id: string }> = {
  ...exporting,
  retries: retriesOfADay,
  async run({ reads, write, signal }, { request_id }) {
    const request = await write((ctx) => lockRequest(ctx, request_id))
    if (!request.sealed) return
    const person = personOf(reads, request)
    const pattern = tracesOf(request, person)
    await withTemporaryFile(async (path) => {
      const written = await writeExport(path, reads, person, pattern, signal)
      const key = await storeFile(reads, path, exportFolder, 'application/json')
      await write((ctx) => finish(ctx, request_id, key, written))
    })
  },
}

type Written = { size: number; hash: string }

/** Writes the export row by row: all rows of a person together may have gigabytes. */
async function writeExport(
  path: string,
  reads: Context,
  person: Person,
  pattern: Pattern,
  signal: AbortSignal,
): Promise<Written> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  const add = async (text: string) => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    size += bytes.length
    await file.writeFile(bytes)
  }
  try {
    const about = {
      organization: reads.organization.name,
      exported_at: reads.now().toISOString(),
      person,
    }
    await add(`${JSON.stringify(about, null, 1).slice(0, -2)},\n "data": {`)
    let isFirst = true
    for (const table of await tablesOf(reads)) {
      let rows = 0
      const condition = sql`(t::text ~* ${pattern.source} or ${namesPerson(table, person)})`
      for (let after: string[] | null = null; rows < mostRows;) {
        signal.throwIfAborted()
        const part = await nextPart(reads, table, after, condition)
        if (!part.next) break
        after = part.next
        for (const { values } of part.found) {
          const row = JSON.stringify(shown(table, values), null, 1)
          await add(
            `${rows++ ? ',' : `${isFirst ? '' : ','}\n  ${JSON.stringify(table.name)}: [`}\n${row}`,
          )
          isFirst = false
        }
        await turn()
      }
      if (rows) await add('\n  ]')
    }
    await add('\n }\n}\n')
  } finally {
    await file.close()
  }
  return { size, hash: hash.digest('hex') }
}

async function finish(ctx: Context, id: string, key: string, { size, hash }: Written) {
  const request = await lockRequest(ctx, id)
  await ctx.run(sql`update personal_data_requests t set status = 'completed', sealed = null,
      storage_key = ${key}, file_size = ${size}, file_hash = ${hash},
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

/** Whether any reference of a row of `t` is to one of the person's records. */
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
