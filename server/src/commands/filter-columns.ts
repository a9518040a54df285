import type { Queries } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { registryOf } from '../kit/read/filter-fields.ts'
import { headsOf } from '../kit/read/filter-terms.ts'

/**
 * Throws ConfigError if a filter would find rows by terms that the triggers of the database do not write: it would
 * find nothing, without an error. Columns that only the triggers know are a newer version's, whose migrations run
 * while this one still serves.
 */
export async function checkFilters(queries: Queries, records: readonly AnyRecord[]): Promise<void> {
  const found = await queries.all<{ table: string; source: string }>(sql`
    select c.relname as table, p.prosrc as source
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    join pg_proc p on p.pronamespace = c.relnamespace and p.proname = 'filter_terms_' || c.relname
    where g.tgname = 'filter_kept' and c.relnamespace = current_schema()::regnamespace`)
  const written = new Set(
    found.flatMap(({ table, source }) => termsIn(source).map((term) => `${table} ${term}`)),
  )
  const missing = [...neededTerms(records)].filter((term) => !written.has(term))
  if (!missing.length) return
  const columns = missing.map((term) => term.replace(' ', '.').slice(0, -1))
  throw new ConfigError(
    `Filters would find nothing by ${[...new Set(columns)].join(', ')}: a migration adds columns with ` +
      'add_field or add_reference, or calls make_filterable for the table afterwards',
  )
}

/** `table column=` and so on, as the terms of conditions begin. */
function neededTerms(records: readonly AnyRecord[]): Set<string> {
  const needed = new Set<string>()
  for (const record of records) {
    for (const field of registryOf(record).values()) {
      const { index } = field
      if (!index) continue
      const table = index.link?.table ?? record.table
      for (const head of headsOf(field)) needed.add(`${table} ${index.column}${head}`)
      if (index.named) needed.add(`${index.named.table} ${index.named.by}=`)
    }
  }
  return needed
}

/** The heads of the terms that a function of a table writes, as `make_filter_terms` of the migrations says. */
function termsIn(source: string): string[] {
  const plain = [...source.matchAll(/pre \|\| '(\w+=)/g)].map(([, head = '']) => head)
  const others = [...source.matchAll(/filter_(\w+)_terms\(pre \|\| '(\w+)'/g)].flatMap(
    ([, kind = '', column = '']) => (heads[kind] ?? []).map((head) => column + head),
  )
  return [...plain, ...others]
}

const heads: { [kind: string]: string[] } = {
  text: ['=', '^'],
  list: ['['],
  day: ['@'],
  number: ['#'],
}
