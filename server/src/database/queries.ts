import { channel } from 'node:diagnostics_channel'
import type { Cells, Queries, Query } from '../kit/ground/context.ts'
import { compile, plannedAnew, sql } from '../kit/ground/sql.ts'
import type { Rows, Send, Statement } from './bounded-query.ts'
import { changesCached } from './cached-tables.ts'
import { translate } from './errors.ts'
import { objects, objectsInTurns } from './values.ts'

/** What subscribers of `perennial:statement` receive: a statement that was sent, and its answer to come. */
export type SentStatement = { organization: string; text: string; answer: Promise<unknown> }

const sent = channel('perennial:statement')

/** The transaction of queries: what has to be awaited before its commit, and its engine. */
type Transaction = { enqueue(promise: Promise<unknown>): void; isDistributed: boolean }

/** The query functions of a context over one connection, for an organization. */
export function queriesOn(
  organization: string,
  send: Send,
  transaction?: Transaction,
  translated = translate,
): Queries {
  const execute = async (query: Query, how?: Partial<Statement>): Promise<Rows> => {
    try {
      const statement = prepared(compile(query, organization))
      const answer = send(how ? { ...statement, ...how } : statement)
      if (sent.hasSubscribers) sent.publish({ organization, text: statement.text, answer })
      return await answer
    } catch (error) {
      throw transaction ? error : translated(error)
    }
  }
  const all = async (query: Query) => {
    const result = await execute(query)
    return result.bytes ? objectsInTurns(result) : objects(result)
  }
  const later: Queries['later'] = (query, then) => {
    if (!transaction) throw new Error('only a transaction can do things later')
    transaction.enqueue(execute(query).then((result) => then?.(result.rowCount ?? 0)))
  }
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
    later,
    laterTogether(first, { tables, main, beside }, then) {
      if (!transaction?.isDistributed)
        return later(sql`with first as (${first}), ${tables}, beside as (${beside}) ${main}`, then)
      later(first)
      later(sql`with ${tables} ${main}`, then)
      later(sql`with ${tables} ${beside}`)
    },
  }
}

type QueryConfig = { text: string; values?: unknown[] }

/** A statement that was sent, by its text, with the name it is prepared under. */
const known = new Map<string, { name?: string; changesCached: boolean }>()
let named = 0
/** characters of the texts that have a name, and of those without */
let charactersNamed = 0
let charactersKnown = 0

/** So many texts are prepared when they are first sent: those of a start, such as the demonstration's. */
const early = 500
/**
 * Characters of a text with a name, of all of them, and of those without. PostgreSQL stores what it has parsed on
 * every connection, some 50 bytes a character: a filter of 30,000 characters took 1.5 MiB. The longest of the
 * service's own statements, groups of accounts, has 21,000, and an account 17,000.
 */
const longestNamed = 25_000
const mostNamed = 2 * 1024 * 1024
const mostKnown = 16 * 1024 * 1024

/**
 * A statement that is sent a second time is prepared under a name, and so are the first ones of a
 * process, which are the service's own. Callers can create ever new texts with filters, so the number
 * and length of names and known texts are limited.
 */
function prepared({ text, values }: QueryConfig): Statement {
  let found = known.get(text)
  const isKnown = found !== undefined
  if (!found) {
    if (known.size > 5000 || charactersKnown > mostKnown) evictUnnamed()
    known.set(text, (found = { changesCached: changesCached(text) }))
    charactersKnown += text.length
  }
  const isNext = named < early || (isKnown && named < 2000)
  const isShort = text.length <= longestNamed && charactersNamed + text.length <= mostNamed
  if (!found.name && isNext && isShort && !text.startsWith(plannedAnew)) {
    found.name = `p${++named}`
    charactersNamed += text.length
    charactersKnown -= text.length
  }
  return { ...found, text, values, rowMode: 'array' }
}

function evictUnnamed() {
  for (const [text, { name }] of known) if (!name) known.delete(text)
  charactersKnown = 0
}
