import pg from 'pg'
import type { Rows } from './client.ts'

/** A statement, and how many bytes of rows are taken of its answer at most. */
export type Statement = pg.QueryArrayConfig & {
  mostBytes?: number
  /** whether fewer rows will do; else an answer that is too large is an error */
  mayCut?: boolean
}

type DataRow = { length: number }

/** What the library's own query has, which its types leave out. */
type Internals = {
  handleDataRow(row: DataRow): void
  callback: (error: Error | null | undefined, result?: Rows) => void
}

const Query = pg.Query as unknown as new (config: pg.QueryArrayConfig | string) => Internals

/**
 * A query that takes only so many bytes of rows into memory: those beyond are dropped as they arrive.
 * The first row is taken whatever its size, so that paging always advances.
 */
export class BoundedQuery extends Query {
  most: number
  left: number
  mayCut: boolean
  isFirst = true
  isCut = false

  constructor(statement: Statement | string, most: number) {
    super(statement)
    const own: Partial<Statement> = typeof statement === 'string' ? {} : statement
    this.most = own.mostBytes ?? (most || Number.MAX_SAFE_INTEGER)
    this.left = this.most
    this.mayCut = own.mayCut ?? false
  }

  /** bytes of the rows so far */
  get taken(): number {
    return this.most - this.left
  }

  override handleDataRow(row: DataRow) {
    this.left -= row.length
    if (this.left < 0 && !(this.isFirst && this.mayCut)) this.isCut = true
    this.isFirst = false
    if (!this.isCut) super.handleDataRow(row)
  }
}

/** Answers above so many bytes say how many they have. */
const large = 128 * 1024

/** An answer of a statement was larger than it may be. */
export class TooLarge extends Error {}

/**
 * A statement to be sent, and what comes of it; an answer of more than `most` bytes is `TooLarge`, or cut
 * where that is allowed.
 */
export function outcomeOf(
  statement: Statement | string,
  most: number,
): { query: BoundedQuery; outcome: Promise<Rows> } {
  const query = new BoundedQuery(statement, most)
  const outcome = new Promise<Rows>((resolve, reject) => {
    query.callback = (error, result) => {
      if (error || !result) reject(error ?? new Error('a statement without a result'))
      else if (!query.isCut)
        resolve(query.taken > large ? Object.assign(result, { bytes: query.taken }) : result)
      else if (query.mayCut) resolve(Object.assign(result, { isCut: true, bytes: query.taken }))
      else reject(new TooLarge(`The answer is larger than ${most} bytes`))
    }
  })
  return { query, outcome }
}
