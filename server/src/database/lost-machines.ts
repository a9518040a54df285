import type pg from 'pg'
import { anywhereIn } from '../kit/ground/sql.ts'
import type { Rows, Send, Statement } from './bounded-query.ts'
import { machines } from './citus.ts'

/** Milliseconds for which it is not asked again which machines answer. */
const knownMs = 10_000

/** The ids of the organizations on the machines that answer, whose places are in the named list. */
const reachable = `with silent as (
    select n.groupid from (${machines}) m join pg_dist_node n
      on n.nodename || ':' || n.nodeport = m.place where not m.answers)
  select coalesce(array_agg(o.id), '{}')::text from perennial.known_organizations k, unnest(k.ids) as o (id)
  where not exists (select from pg_dist_placement p join silent s on s.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('perennial.organizations', o.id))`

/**
 * Statements for all organizations on Citus while one of its machines is down: those whose tables say `anywhere` are
 * sent again for the organizations of the other machines, so that only those of the lost one stay out. What is not found
 * there may be on the lost one: that is the error again, and not an empty answer.
 */
export class LostMachines {
  #reachable: Promise<string> | undefined
  #until = -Infinity
  #error: unknown
  #ask: (statement: string) => Promise<Rows>

  constructor(ask: (statement: string) => Promise<Rows>) {
    this.#ask = ask
  }

  /** Sends a statement, again without the lost machines where that helps; its errors are PostgreSQL's. */
  async send(send: Send, statement: Statement | string): Promise<Rows> {
    if (typeof statement === 'string' || !anywhereIn.test(statement.text)) return send(statement)
    if (performance.now() >= this.#until) {
      try {
        return await send(statement)
      } catch (error) {
        if (!isLost(error)) throw error
        this.#error = error
        this.#until = performance.now() + knownMs
        this.#reachable = undefined
      }
    }
    const found = await send(await this.#without(statement))
    if (!found.rows.length) throw this.#error
    return found
  }

  async #without(statement: Statement): Promise<Statement> {
    this.#reachable ??= this.#ask(reachable).then(({ rows }) => String(rows[0]?.[0] ?? '{}'))
    const { values = [] } = statement
    const ids = `$${values.length + 1}::text[]`
    const text = statement.text.replaceAll(
      new RegExp(anywhereIn, 'g'),
      (_found, alias: string) => `${alias}.organization_id = any(${ids})`,
    )
    return { text, values: [...values, await this.#reachable], rowMode: 'array' }
  }
}

/** Whether the coordinator could not reach a machine, as it reports it itself. */
function isLost(error: unknown): boolean {
  const { code = '', message = '' } = error as Partial<pg.DatabaseError>
  return code.startsWith('08') && message.includes('remote node')
}
