import pg from 'pg'
import { TooLarge } from './bounded-query.ts'
import {
  Failure,
  UnsuitableConnection,
  badField,
  badRequest,
  conflict,
  unavailable,
} from '../kit/ground/errors.ts'

/** The code of a write that waited too long for another one. */
export const lockedCode = 'record_locked'

/** Turns PostgreSQL's error, or the connection's, into the failure that a caller should see. */
export function translate(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  if (error instanceof TooLarge) return tooLarge()
  if (error instanceof UnsuitableConnection) {
    const message = 'The database is not set up for this service'
    return new Failure(503, 'unavailable', message, { retryAfter: 5, cause: error })
  }
  if (error instanceof pg.DatabaseError) return translateCode(error) ?? error
  // errors of the driver that are not PostgreSQL's are about the connection
  return isConnectionError(error) ? unreachable(error) : error
}

/** 503, with the connection's error as the cause for the operator's log. */
export function unreachable(cause?: unknown): Failure {
  return unavailable('The database cannot be reached', 1, cause)
}

function tooLarge(): Failure {
  const message = 'The answer is too large: ask for less at once, such as a smaller items_per_page'
  return badRequest(message, undefined, 'result_too_large')
}

/** Whether running the transaction again may succeed: a deadlock or a serialization failure. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

function translateCode(error: pg.DatabaseError): Failure | undefined {
  const code = error.code ?? ''
  if (code === '23505') return conflict('A record with the same value already exists', 'duplicate')
  if (code === '23503') return badField(columnOf(error), 'no such record')
  if (code === '23514' || code === '23502') return badField(columnOf(error), 'is not allowed')
  // text that the encoding or jsonb cannot hold, numbers out of range, dates that do not exist
  if (code.startsWith('22')) return badRequest('A value cannot be stored: ' + error.message)
  if (code === '53300') {
    return new Failure(
      503,
      'database_connections',
      `The database takes no more connections (${connectionLimit(error)}): try again`,
      { retryAfter: 2, cause: error },
    )
  }
  if (code === '53100') {
    const message = 'The disk of the database is full, nothing can be written'
    return new Failure(503, 'disk_full', message, { retryAfter: 30, cause: error })
  }
  if (code.startsWith('08') || code.startsWith('57P') || code.startsWith('53')) {
    return unreachable(error)
  }
  if (code === '57014') return unavailable('The request took too long')
  if (code === '55P03') {
    const message = 'Another change of the same record takes too long, try again'
    return new Failure(503, lockedCode, message, { retryAfter: 2, cause: error })
  }
  if (code.startsWith('40')) return unavailable('Too many changes at once')
  return undefined
}

function connectionLimit({ message }: pg.DatabaseError): string {
  if (/for role/.test(message)) return 'the connection limit of its user'
  return /for database/.test(message) ? 'its connection limit' : 'its max_connections'
}

/** Constraints are named `<table>_<column>_fkey`, so the column can be derived. */
function columnOf(error: pg.DatabaseError): string {
  if (error.column) return error.column
  const name = error.constraint?.replace(/_(fkey|check|key)$/, '') ?? 'body'
  return error.table && name.startsWith(error.table) ? name.slice(error.table.length + 1) : name
}

const networkCodes = /^E(CONN|PIPE|NOTFOUND|AI_|TIMEDOUT|HOST|NET|ADDR)/

/** An operation may use files and other hosts in its transaction: their errors are not the database's. */
function isConnectionError(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code?.startsWith('E')) return networkCodes.test(code) || syscall === 'connect'
  return /connection|terminated|not queryable|timeout|closed|end on the pool/i.test(error.message)
}
