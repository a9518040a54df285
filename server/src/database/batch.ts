import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Rows, Send, Statement } from './bounded-query.ts'
import { outcomeOf } from './bounded-query.ts'

// Statements of a transaction that are sent in one turn of the event loop end with one Sync of the
// protocol, while the library sends one for each. So PostgreSQL answers them with one system call, and
// the service reads them with one. An error skips the statements after it, which the transaction would
// refuse anyway.

/** Members of the library's connection and messages that its types leave out. */
type Connection = {
  stream: Writable
  submittedNamedStatements: { [name: string]: string }
  parsedStatements: { [name: string]: string }
  sync(): void
}
type Message = object

/** Methods of the library's query that are called here and that its types leave out. */
type Internals = {
  name: string | undefined
  text: string
  prepare(connection: Connection): void
  handleRowDescription(message: Message): void
  handleDataRow(message: Message): void
  handleCommandComplete(message: Message, connection: Connection): void
  handleEmptyQuery(connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const Query = pg.Query as unknown as new (config: pg.QueryArrayConfig) => Internals

/** The statements of one turn as what the library takes for one query. */
class Batch extends Query {
  members: Internals[]
  /** the member whose answer is being read, and its place */
  current: Internals
  at = 0

  constructor(first: Internals) {
    super({ text: '', rowMode: 'array' })
    this.members = [first]
    this.current = first
    this.select(first)
  }

  /** The library records under this name which statements the server has parsed. */
  select(member: Internals) {
    this.current = member
    this.text = member.text
    this.name = member.name
  }

  /**
   * The answer of a member is complete; the last one ends with the batch, when the connection is ready
   * for others.
   */
  next(connection: Connection) {
    const { current } = this
    const following = this.members[this.at + 1]
    if (!following) return
    this.at++
    this.select(following)
    current.handleReadyForQuery(connection)
  }

  submit(connection: Connection) {
    // one Sync for all, below, and one packet
    connection.stream.cork()
    const quiet = Object.create(connection, { sync: { value() {} } }) as Connection
    for (const [at, member] of this.members.entries()) {
      let failure: Error | undefined
      const { handleError } = member
      member.handleError = (error) => (failure = error)
      member.prepare(quiet)
      member.handleError = handleError
      if (!failure) continue
      // a value that cannot be sent: nothing behind it may be, least of all a commit
      const rest = this.members.splice(at)
      forget(connection, member)
      delete connection.parsedStatements[member.name ?? '']
      for (const each of rest) each.handleError(each === member ? failure : skipped(), connection)
      break
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  override handleRowDescription(message: Message) {
    this.current.handleRowDescription(message)
  }

  override handleDataRow(message: Message) {
    this.current.handleDataRow(message)
  }

  override handleCommandComplete(message: Message, connection: Connection) {
    this.current.handleCommandComplete(message, connection)
    this.next(connection)
  }

  override handleEmptyQuery(connection: Connection) {
    this.next(connection)
  }

  override handleReadyForQuery(connection: Connection) {
    // none is left of a batch whose first one could not be sent
    if (this.members.length) this.current.handleReadyForQuery(connection)
  }

  override handleError(error: Error, connection: Connection) {
    const behind = this.members.slice(this.at + 1)
    this.current.handleError(error, connection)
    for (const member of behind) {
      // the server skipped its text too
      forget(connection, member)
      member.handleError(error instanceof pg.DatabaseError ? skipped() : error, connection)
    }
  }
}

/** Makes the text of a statement be sent again with it, unless the server has parsed that. */
function forget(connection: Connection, { name }: Internals) {
  if (name !== undefined) delete connection.submittedNamedStatements[name]
}

/** PostgreSQL's error for a statement in a transaction that has failed. */
function skipped(): Error {
  const error = new pg.DatabaseError('a statement before it failed', 0, 'error')
  error.code = '25P02'
  return error
}

/** Sends statements of transactions; at most `most` bytes of an answer are read. */
export function batched(client: pg.ClientBase, most: number): Send {
  let batch: Batch | undefined
  const submit = () => {
    if (batch) client.query(batch as unknown as pg.Submittable)
    batch = undefined
  }
  return (statement: Statement | string) => {
    const { query, outcome } = outcomeOf(statement, most)
    if (typeof statement === 'string') {
      // possibly several commands, which the protocol of batches does not take
      submit()
      client.query(query as unknown as pg.Submittable)
    } else if (batch) batch.members.push(query as unknown as Internals)
    else {
      batch = new Batch(query as unknown as Internals)
      process.nextTick(submit)
    }
    return outcome as Promise<Rows>
  }
}
