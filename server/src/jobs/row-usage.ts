import type { Queries } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'

/** Bytes of a table that are read at most: of a larger one a sample of its pages stands for the whole. */
const mostRead = 64 * 1024 * 1024

type Counted = { bytes: number; delivery_bytes: number }

/**
 * Counts the bytes of the rows of each organization in all tables, without indexes, and of those the deliveries
 * that wait. A table of up to 64 MiB is counted row by row; of a larger one as many pages are read and the
 * result is scaled, so that a count costs the same however much is stored.
 */
export async function countRows(runtime: Runtime): Promise<void> {
  const reads = runtime.database.reads(allOrganizations)
  const tables = await reads.all<{ name: string; size: number }>(sql`
    select c.relname::text as name, pg_table_size(c.oid)::float8 as size
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and a.attnum > 0
    where c.relnamespace = 'perennial'::regnamespace and c.relkind = 'r'
      and has_table_privilege(c.oid, 'select')`)
  const totals = new Map<string, Counted>()
  for (const { name, size } of tables) await addTable(reads, { name, size }, totals)
  const all = [...totals]
  const time = runtime.now().toISOString()
  await runtime.database.transaction(allOrganizations, (queries) =>
    queries.run(sql`
      insert into row_usage as t (organization_id, bytes, delivery_bytes, counted_at)
      select u.id, u.bytes, u.delivery_bytes, ${time}::timestamptz
      from unnest(${all.map(([id]) => id)}::text[],
        ${all.map(([, { bytes }]) => Math.round(bytes))}::bigint[],
        ${all.map(([, { delivery_bytes }]) => Math.round(delivery_bytes))}::bigint[])
        u (id, bytes, delivery_bytes)
      on conflict (organization_id) do update set bytes = excluded.bytes,
        delivery_bytes = excluded.delivery_bytes, counted_at = excluded.counted_at`),
  )
  await runtime.services.rowQuota.refresh()
}

async function addTable(
  reads: Queries,
  { name, size }: { name: string; size: number },
  totals: Map<string, Counted>,
): Promise<void> {
  const part = Math.min(1, mostRead / Math.max(1, size))
  const isWaiting = name === 'deliveries' ? sql`t.status in ('pending', 'failing')` : sql`false`
  const rows = await reads.all<Counted & { id: string }>(sql`
    select t.organization_id as id, sum(pg_column_size(t.*))::float8 as bytes,
      coalesce(sum(pg_column_size(t.*)) filter (where ${isWaiting}), 0)::float8 as delivery_bytes
    from ${sql.table(name)} t tablesample system (${part * 100}::real)
    group by t.organization_id`)
  for (const { id, bytes, delivery_bytes } of rows) {
    const total = totals.get(id) ?? { bytes: 0, delivery_bytes: 0 }
    total.bytes += bytes / part
    total.delivery_bytes += delivery_bytes / part
    totals.set(id, total)
  }
}
