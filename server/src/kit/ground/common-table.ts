import { PostgresQueryCompiler, type RawNode } from 'kysely'
import type { Query } from './context.ts'

/** A reference to a common table within a statement: its name, and the query that fills it. */
type Reference = RawNode & { commonTable?: { name: string; query: Query } }

/**
 * A common table expression of one column, `id`, of every statement that refers to it, as in
 * `t.id in (select id from ${table})`. The query is independent: it cannot refer to the rest of the
 * statement. However often a statement refers to the same one, PostgreSQL plans and computes it once.
 */
export function commonTable(name: string, query: Query): Query {
  const reference: Reference = {
    kind: 'RawNode',
    sqlFragments: [name],
    parameters: [],
    commonTable: { name, query },
  }
  return { toOperationNode: () => reference } as unknown as Query
}

/** Compiles a statement with its common tables in front of it. */
export class CommonTableCompiler extends PostgresQueryCompiler {
  /** the names of those referred to so far */
  readonly #names = new Map<Query, string>()

  protected override visitRaw(node: Reference) {
    if (!node.commonTable) return super.visitRaw(node)
    const { name, query } = node.commonTable
    // those of two callers have the same name, and are two
    const taken = [...this.#names.values()].filter((each) => each.startsWith(name)).length
    const own = this.#names.get(query) ?? (taken ? `${name}_${taken + 1}` : name)
    this.#names.set(query, own)
    this.append(own)
  }

  override compileQuery(...[node, queryId]: Parameters<PostgresQueryCompiler['compileQuery']>) {
    this.#names.clear()
    const statement = super.compileQuery(node, queryId)
    if (!this.#names.size) return statement
    const parameters = [...statement.parameters]
    const tables = [...this.#names].map(([query, name]) => {
      const { sql, parameters: own } = super.compileQuery(query.toOperationNode(), queryId)
      const text = sql.replace(
        /\$(\d+)/g,
        (_match: string, n: string) => `$${Number(n) + parameters.length}`,
      )
      parameters.push(...own)
      return `${name} (id) as (${text})`
    })
    const ahead = /^\s*with (recursive )?/i.exec(statement.sql)?.[0]
    const sql = ahead
      ? `${ahead}${tables.join(', ')}, ${statement.sql.slice(ahead.length)}`
      : `with ${tables.join(', ')} ${statement.sql}`
    return { ...statement, sql, parameters }
  }
}
