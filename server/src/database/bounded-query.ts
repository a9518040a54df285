import pg from 'pg'

/** A statement, and the maximum number of bytes of rows that are read of its answer. */
export type Statement = pg.QueryArrayConfig & {
  mostBytes?: number
  /** whether fewer rows will do; else an answer that is too large is an error */
  mayCut?: boolean
  /** whether it may change what processes cache */
  changesCached?: boolean
}

/**
 * A result whose rows are arrays of PostgreSQL's own text; `isCut` where the last ones were dropped, and
 * the `bytes` of a large one.
 */
export type Rows = pg.QueryArrayResult<(string | null)[]> & { isCut?: boolean; bytes?: number }

/** Sends one statement on a connection. */
export type Send = (statement: Statement | string) => Promise<Rows>

type DataRow = { length: number; fields: (string | null)[] }
type Connection = { stream: object; describe(portal: object): void }

/** Members of the library's query that its types leave out. */
type Internals = {
  name: string | undefined
  values: unknown[] | undefined
  _result: { fields: pg.FieldDef[]; rows: (string | null)[][] }
  _checkForMultirow(): void
  prepare(connection: Connection): void
  handleRowDescription(description: { fields: pg.FieldDef[] }): void
  handleDataRow(row: DataRow): void
  handleCommandComplete(message: object, connection: Connection): void
  callback: (error: Error | null | undefined, result?: Rows) => void
}

const Query = pg.Query as unknown as new (text: string) => Internals

/** The columns that prepared statements answer, by the connection's stream and their names. */
const described = new WeakMap<object, Map<string, pg.FieldDef[]>>()
/** The same columns, stored once for all connections. */
const columns = new Map<string, pg.FieldDef[]>()

/**
 * A query whose rows stay PostgreSQL's text, and which reads only so many bytes of them into memory:
 * further rows are dropped as they arrive. The first row is taken whatever its size, so that paging
 * always advances. A prepared statement is described once on a connection: its columns stay the same.
 */
export class BoundedQuery extends Query {
  most: number
  left: number
  mayCut: boolean
  isFirst = true
  isCut = false

  constructor(statement: Statement | string, most: number) {
    const own: Partial<Statement> = typeof statement === 'string' ? { text: statement } : statement
    // all but a text would be copied property by property, which takes 2 µs
    super(own.text ?? '')
    this.name = own.name
    this.values = own.values
    this.most = own.mostBytes ?? (most || Number.MAX_SAFE_INTEGER)
    this.left = this.most
    this.mayCut = own.mayCut ?? false
  }

  /** bytes of the rows so far */
  get taken(): number {
    return this.most - this.left
  }

  override prepare(connection: Connection) {
    const known = this.name && described.get(connection.stream)?.get(this.name)
    if (!known) return super.prepare(connection)
    this._result.fields = known
    super.prepare(Object.create(connection, { describe: { value() {} } }) as Connection)
  }

  override handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
    this._checkForMultirow()
    this._result.fields = fields
  }

  override handleDataRow(row: DataRow) {
    this.left -= row.length
    if (this.left < 0 && !(this.isFirst && this.mayCut)) this.isCut = true
    this.isFirst = false
    if (!this.isCut) this._result.rows.push(row.fields)
  }

  override handleCommandComplete(message: object, connection: Connection) {
    super.handleCommandComplete(message, connection)
    if (this.name) remember(connection, this.name, this._result.fields)
  }
}

/** Keeps the columns of a prepared statement for its next execution on the connection. */
function remember({ stream }: Connection, name: string, fields: pg.FieldDef[]) {
  let known = described.get(stream)
  if (!known) described.set(stream, (known = new Map()))
  if (known.has(name)) return
  const key = fields.map((field) => `${field.dataTypeID} ${field.name}`).join()
  const same = columns.get(key) ?? fields
  columns.set(key, same)
  known.set(name, same)
}

/** Answers above this size report their number of bytes. */
const large = 128 * 1024

/** An answer of a statement was larger than it may be. */
export class TooLarge extends Error {}

/**
 * A statement to be sent, and its result; an answer of more than `most` bytes is `TooLarge`, or cut
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
