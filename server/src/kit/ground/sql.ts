import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, sql } from 'kysely'
import { CommonTableCompiler } from './common-table.ts'
import type { Context, Queries, Query } from './context.ts'
import { allOrganizations } from './context.ts'

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new CommonTableCompiler(),
}
const compiler = new Kysely<unknown>({ dialect })

/**
 * The text and parameters of a query for an organization: about 2 µs for a list. Wherever the text says
 * `$organization`, it is a parameter of the statement, one for all of them. So SQL that is declared
 * without a context, such as that of a field, can name the organization in each of its relations. Throws
 * where such a query runs for all organizations.
 */
export function compile(query: Query, organization: string): { text: string; values: unknown[] } {
  const { sql: text, parameters } = query.compile(compiler)
  const values = parameters as unknown[]
  const numbered = numberedText(text, values.length + 1)
  if (numbered === text) return { text, values }
  if (organization === allOrganizations)
    throw new Error(`a statement for all organizations names one: ${text}`)
  return { text: numbered, values: [...values, organization] }
}

/** Texts with `$organization` and what is sent for them: a look-up is faster than replacing. */
const numberedTexts = new Map<string, string>()
/** characters of these texts, and how many they may have: a filter makes one of 30,000 */
let characters = 0
const mostCharacters = 16 * 1024 * 1024

/** The text with the number of a parameter in place of `$organization`, except inside literals and comments. */
function numberedText(text: string, number: number): string {
  const known = numberedTexts.get(text)
  if (known !== undefined || !text.includes('$organization')) return known ?? text
  const numbered = text.replace(/'[^']*'|--.*|\/\*[^]*?\*\/|\$organization\b/g, (found) =>
    found.startsWith('$') ? `$${number}` : found,
  )
  if (numberedTexts.size > 5000 || characters > mostCharacters) {
    numberedTexts.clear()
    characters = 0
  }
  numberedTexts.set(text, numbered)
  characters += text.length
  return numbered
}

/**
 * Begins a statement that is planned for its values each time, which costs some milliseconds: one whose plan for any
 * values, which PostgreSQL may take from the sixth execution on, takes seconds.
 */
export const plannedAnew = '/* planned for its values */'

/** A query whose text was compiled before, for queries that each request sends. */
export function knownQuery(text: string, values: unknown[]): Query {
  return { compile: () => ({ sql: text, parameters: values }) } as unknown as Query
}

/** The same queries for one organization over connections that see all of them. */
export function forOrganization(queries: Queries, organization: string): Queries {
  const bound = (query: Query): Query => {
    const { text, values } = compile(query, organization)
    return knownQuery(text, values)
  }
  return {
    all: (query) => queries.all(bound(query)),
    one: (query) => queries.one(bound(query)),
    cells: (query) => queries.cells(bound(query)),
    page: (query, mostBytes) => queries.page(bound(query), mostBytes),
    run: (query) => queries.run(bound(query)),
    later: (query, then) => queries.later(bound(query), then),
    laterTogether(first, { tables, main, beside }, then) {
      queries.later(bound(first))
      queries.later(bound(sql`with ${tables} ${main}`), then)
      queries.later(bound(sql`with ${tables} ${beside}`))
    },
  }
}

/**
 * The one start of every query on a tenant's table: `where ${mine(ctx)}`. Each further table needs the
 * same condition, as `u.organization_id = $organization` or `mine(ctx, 'u')`. It takes a context
 * because the context's queries insert the value; row-level security enforces the same below them.
 */
export function mine(_ctx: Context, alias = 't'): Query {
  let condition = ownRows.get(alias)
  if (!condition) {
    condition = sql`${sql.ref(`${alias}.organization_id`)} = ${sql.raw('$organization')}`
    ownRows.set(alias, condition)
  }
  return condition
}

/** By alias; the code uses some dozens. */
const ownRows = new Map<string, Query>()

/**
 * Marks a table of a statement for all organizations, by its alias, each of them: `where ${anywhere('u')} and …`. It is always
 * true, but while a machine of Citus is down, when it stands for the organizations of the others.
 */
export function anywhere(alias: string): Query {
  return sql.raw(`/* anywhere ${alias} */ true`)
}

/** Finds that mark, and the alias in it. */
export const anywhereIn = /\/\* anywhere (\w+) \*\/ true/

/** Joins conditions with AND; none at all is true. */
export function all(...conditions: (Query | undefined)[]): Query {
  const present = conditions.filter((condition) => condition !== undefined)
  return present.length ? sql.join(present, sql` and `) : sql`true`
}

/**
 * Begins a statement that writes to a table of which processes cache rows, and changes nothing that is
 * cached, such as when something was last used: they are not notified of it (`database/cached-tables.ts`).
 */
export const nothingCached = sql.raw('/* nothing cached */')

export { sql }
