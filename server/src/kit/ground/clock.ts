import type { Query } from './context.ts'
import { sql } from './sql.ts'

/** The clock of this machine. */
export function systemClock(): Date {
  return new Date()
}

/**
 * The time by which due times and leases are compared: the database's, on which all processes agree
 * whatever their own clocks say. A clock that a test turns stands for the database's too.
 */
export function databaseNow({ now }: { now: () => Date }): Query {
  return now === systemClock ? sql`now()` : sql`${now().toISOString()}::timestamptz`
}
