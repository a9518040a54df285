import { channel } from 'node:diagnostics_channel'
import type pg from 'pg'
import type { Cells, Queries, Query } from '../kit/ground/context.ts'
import { compile } from '../kit/ground/sql.ts'
import type { Statement } from './bounded-query.ts'
import type { Rows, Send } from './client.ts'
import { translate } from './errors.ts'
import { objects } from './values.ts'

/** What subscribers of `perennial:statement` receive: a statement that was sent, and its answer to come. */
export type SentStatement = { organization: string; text: string; answer: Promise<unknown> }

const sent = channel('perennial:statement')

/**
 * The query functions of a context over one connection, for an organization; `enqueue` only inside a
 * transaction.
 */
export function queriesOn(
  organization: string,
  send: Send,
  enqueue?: (promise: Promise<unknown>) => void,
  translated = translate,
): Queries {
  const execute = async (query: Query, how?: Partial<Statement>): Promise<Rows> => {
    try {
      const statement = prepared(compile(query, organization))
      const answer = send(how ? { ...statement, ...how } : statement)
      if (sent.hasSubscribers) sent.publish({ organization, text: statement.text, answer })
      return await answer
    } catch (error) {
      throw enqueue ? error : translated(error)
    }
  }
  const all = async (query: Query) => objects(await execute(query))
  return {
    all: all as Queries['all'],
    one: (async (query) => (await all(query))[0]) as Queries['one'],
    cells: async (query) => (await execute(query)).rows as Cells[],
    async page(query, mostBytes) {
      const { rows, isCut = false } = await execute(
        query,
        mostBytes ? { mostBytes, mayCut: true } : {},
      )
      return { rows: rows as Cells[], isCut }
    },
    run: async (query) => (await execute(query)).rowCount ?? 0,
    later(query, then) {
      if (!enqueue) throw new Error('only a transaction can do things later')
      enqueue(execute(query).then((result) => then?.(result.rowCount ?? 0)))
    },
  }
}

type QueryConfig = { text: string; values?: unknown[]; name?: string }

/** The texts of statements that were sent, with the name under which they are prepared. */
const names = new Map<string, string | undefined>()
let named = 0

/** So many texts are prepared when they are first sent: those of a start, such as the demonstration's. */
const early = 500

/**
 * A statement that is sent a second time is prepared under a name, and so are the first ones of a process, which
 * are the service's own. Callers can make up ever new ones with filters, so the number of names and of cached
 * texts is bounded.
 */
function prepared({ text, values }: QueryConfig): pg.QueryArrayConfig {
  const name = names.get(text)
  if (name) return { name, text, values, rowMode: 'array' }
  if (named < early || (names.has(text) && named < 2000)) {
    const fresh = `p${++named}`
    names.set(text, fresh)
    return { name: fresh, text, values, rowMode: 'array' }
  }
  if (!names.has(text)) {
    if (names.size > 5000) for (const [old, name] of names) if (!name) names.delete(old)
    names.set(text, undefined)
  }
  return { text, values, rowMode: 'array' }
}
