import type { Query } from './context.ts'
import { sql } from './sql.ts'

/** The clock of this machine. */
export function systemClock(): Date {
  return new Date()
}

/**
 * The time with which due times and leases are compared: the database's, on which all processes agree
 * whatever their own clocks say. A test's clock replaces the database's, too.
 */
export function databaseNow({ now }: { now: () => Date }): Query {
  return now === systemClock ? sql`now()` : sql`${now().toISOString()}::timestamptz`
}
