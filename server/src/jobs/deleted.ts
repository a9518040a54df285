import type { Query } from '../kit/ground/context.ts'
import { all, sql } from '../kit/ground/sql.ts'
import { records } from '../model/all.ts'
import type { Link } from '../records/links/links.ts'
import { linksTo } from '../records/links/links.ts'

/** Deleted rows of one table that may be removed. */
export type Expired = {
  table: string
  /** over `t`, at an instant in milliseconds; `organization` is what other rows are of, in SQL */
  condition(now: number, organization: Query): Query
  /** the dependents of these rows: rows of other tables that are removed with them, or whose reference is cleared */
  parts: Pick<Link, 'table' | 'column' | 'module' | 'onRemoval' | 'record'>[]
}

const day = 86_400_000

/**
 * The tables of all records with soft deletion, each after those that refer to its rows: a
 * row stays while another one refers to it, since the foreign key would refuse, or cascade to a row that is not deleted.
 */
export const expiredRecords: readonly Expired[] = inOrder().flatMap((table) => {
  const {
    life: { softDelete, retention },
  } = records.find((record) => record.table === table)!
  if (!softDelete || retention === null) return []
  const links = linksTo[table]!
  // two records that share a table have one column
  const strong = new Map(
    links.flatMap((link) => (link.isWeak ? [] : [[`${link.table}.${link.column}`, link]])),
  )
  const parts = new Map(
    links.flatMap((link) =>
      link.part || link.onRemoval
        ? [[`${link.table}.${link.column} ${link.module?.number}`, link]]
        : [],
    ),
  )
  return [
    {
      table,
      condition(now: number, organization: Query) {
        const before = new Date(now - retention * day).toISOString()
        const unnamed = [...strong.values()].map((link) => isUnused(link, organization))
        return all(sql`t.deleted_at < ${before}`, ...unnamed)
      },
      parts: [...parts.values()],
    },
  ]
})

function isUnused({ table, column, part }: Link, organization: Query): Query {
  const from = sql`${sql.table(table)} o
    where o.organization_id = ${organization} and ${sql.ref(`o.${column}`)} = t.id`
  if (!part) return sql`not exists (select from ${from})`
  const named = part.namedBy.map(
    (link) => sql`exists (select from ${sql.table(link.table)} n
      where n.organization_id = ${organization} and ${sql.ref(`n.${link.column}`)} = o.id)`,
  )
  return named.length
    ? sql`not exists (select from ${from} and (${sql.join(named, sql` or `)}))`
    : sql`true`
}

/** The tables of records, each after the tables of the records whose links to it keep its rows. */
function inOrder(): string[] {
  const order = new Set<string>()
  const visited = new Set<string>()
  const visit = (table: string) => {
    if (visited.has(table) || !linksTo[table]) return
    visited.add(table)
    for (const link of linksTo[table]) if (!link.isWeak) visit(link.table)
    order.add(table)
  }
  for (const { table } of records) visit(table)
  return [...order]
}
