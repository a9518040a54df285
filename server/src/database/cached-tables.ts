import type { Queries } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { compile, nothingCached, sql } from '../kit/ground/sql.ts'
import type { Statement } from './bounded-query.ts'

/**
 * Channel of organizations whose cached data every process must evict. An empty payload means all of
 * them.
 */
export const changedChannel = 'perennial_changed'
/** Channel of refreshed sessions, as `<organization> <session>`: only the session is evicted. */
export const sessionChannel = 'perennial_session'

/**
 * Tables of which processes cache rows. They change rarely: a commit with a NOTIFY makes the database's
 * other commits wait (`names.ts`).
 */
export const cachedTables = {
  /** an inserted row of these is cached nowhere yet: it has to be identified first */
  unlessInserted: ['organizations', 'sessions', 'grants', 'access_tokens'],
  always: [
    'accounts',
    'apps',
    'field_definitions',
    'holiday_sets',
    'mail_defaults',
    'module_layouts',
    'one_time_codes',
    'option_sets',
    'pipelines',
    'roles',
    'sharing_defaults',
    'stages',
    'statuses',
    'subscriptions',
    'users',
  ],
}

const { always, unlessInserted } = cachedTables
const named = (tables: string[]) => `(?:only\\s+)?(?:"?perennial"?\\.)?"?(?:${tables.join('|')})\\b`
const written = new RegExp(
  `\\b(?:update|delete\\s+from|merge\\s+into)\\s+${named([...always, ...unlessInserted])}` +
    `|\\binsert\\s+into\\s+${named(always)}` +
    `|\\binsert\\s+into\\s+${named(unlessInserted)}[^]*\\bdo\\s+update\\b`,
  'i',
)
const marker = compile(nothingCached, allOrganizations).text

/** Whether a statement may change cached rows, according to its text. */
export function changesCached(text: string): boolean {
  return written.test(text) && !text.includes(marker)
}

/**
 * Notifies every process that cached data of an organization has changed; in the transaction of the
 * change, so that it is sent if and only if that commits.
 */
export function changeNotice(organization: string): Statement {
  return {
    name: 'changed',
    text: 'select pg_notify($1, $2)',
    values: [changedChannel, organization === allOrganizations ? '' : organization],
    rowMode: 'array',
  }
}

/** Notifies every process, with the commit, that a session was refreshed. */
export function sessionRefreshed({ later }: Queries, organization: string, session: string): void {
  later(sql`select pg_notify(${sessionChannel}, ${`${organization} ${session}`})`)
}
