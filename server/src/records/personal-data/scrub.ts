import type { Context, Query } from '../../kit/ground/context.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { agreementsOf, outsideAgreements } from './agreements.ts'
import type { Pattern } from './pattern.ts'
import { erasedItems, erasedJson } from './pattern.ts'
import type { Person } from './person.ts'
import type { Working } from './request.ts'
import { advance, counted, lockRequest } from './request.ts'
import type { Column, Table } from '../../kit/read/tenant-tables.ts'
import type { Found } from './tables.ts'
import { isRow, nextPart, tablesOf } from './tables.ts'

/** Columns with rows of a file: a row that names the person is about them, and is removed as a whole. */
const wholeRows: { [table: string]: string[] } = {
  import_batches: ['rows'],
  import_errors: ['cells'],
  imports: ['first_rows', 'preview'],
}

/**
 * Removes the traces of a person from every text in every table, one part of a table per transaction,
 * which also stores the progress.
 */
export async function scrubTables(
  { reads, write, signal }: Work,
  request: Working,
  person: Person,
  pattern: Pattern,
): Promise<void> {
  const tables = await tablesOf(reads)
  const agreements = await agreementsOf(reads, person)
  for (const table of tables) {
    // tables that are already done
    if (request.place && table.name < request.place.table) continue
    for (let after = request.place?.table === table.name ? request.place.after : null; ;) {
      signal.throwIfAborted()
      const condition = sql`t::text ~* ${pattern.source} and ${outsideAgreements(table.name, agreements)}`
      const part = await nextPart(reads, table, after, condition)
      if (!part.next) break
      after = part.next
      if (part.found.length) {
        const place = { table: table.name, after }
        await write(async (ctx) => {
          const now = await lockRequest(ctx, request.id)
          let rows = 0
          for (const found of part.found)
            rows += await scrubRow(ctx, request, table, found, pattern)
          Object.assign(request, now)
          await advance(ctx, request, { place, receipt: counted(now.receipt, table.name, rows) })
        })
      }
      // the next part waits a turn of the event loop
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Rewrites the columns of a row that contain traces, or removes the row if its key does; returns 1 if there were any. */
async function scrubRow(
  ctx: Context,
  request: Working,
  table: Table,
  { key, values }: Found,
  pattern: Pattern,
): Promise<number> {
  const texts: { column: Column; left: string }[] = []
  for (const column of table.columns) {
    const value = values[column.name] ?? null
    if (value === null) continue
    const left = await erased(table, column, value, pattern)
    if (left !== value) texts.push({ column, left })
  }
  if (!texts.length) return 0
  // the service's own role may not change the log
  if (table.name === 'events') {
    const byName = Object.fromEntries(texts.map(({ column, left }) => [column.name, left]))
    const entry = await ctx.one<{ rows: number }>(sql`
      select erase_entry(${request.id}, ${key[0] ?? ''}, ${JSON.stringify(byName)}::jsonb) as rows`)
    return entry?.rows ?? 0
  }
  // what is unique names the person no more: two rows that are rewritten could have the same
  const isKey = texts.some(({ column }) => table.key.some(({ name }) => name === column.name))
  if (isKey) {
    return ctx.run(sql`delete from ${sql.table(table.name)} t
      where ${mine(ctx)} and ${isRow(table, key)}`)
  }
  const set = texts.map(({ column: { name, type, is_unique, has_default }, left }) =>
    is_unique && has_default
      ? sql`${sql.ref(name)} = default`
      : sql`${sql.ref(name)} = ${left}::text::${sql.raw(type)}`,
  )
  return ctx.run(sql`update ${sql.table(table.name)} t
    set ${sql.join([...set, ...versionOf(table)])} where ${mine(ctx)} and ${isRow(table, key)}`)
}

/** Raises the version of the row, so that callers who read it before get 412. */
function versionOf({ columns }: Table): Query[] {
  const isVersioned = columns.some(({ name, type }) => name === 'version' && type === 'integer')
  return isVersioned ? [sql`version = t.version + 1`] : []
}

async function erased(
  table: Table,
  { name, kind }: Column,
  value: string,
  pattern: Pattern,
): Promise<string> {
  if (kind === 'text' || kind === 'list') return pattern.erase(value)
  if (kind !== 'json') return value
  const parsed: unknown = JSON.parse(value)
  const whole = wholeRows[table.name]?.includes(name)
  const left = await (whole ? withoutRows(parsed, pattern) : erasedJson(parsed, pattern))
  return left === parsed ? value : JSON.stringify(left)
}

/** The JSON with every list of cells that names the person emptied. */
async function withoutRows(value: unknown, pattern: Pattern): Promise<unknown> {
  if (!Array.isArray(value)) return erasedJson(value, pattern)
  for (const cell of value as unknown[]) {
    if (typeof cell !== 'string' || !(await pattern.isIn(cell))) continue
    return value.map((each: unknown) => (typeof each === 'string' ? '' : each))
  }
  return erasedItems(value, (item) => withoutRows(item, pattern))
}
