import pg from 'pg'
import type { Statement } from './bounded-query.ts'
import type { Rows, Send } from './bounded-query.ts'
import type { ConnectOptions } from './client.ts'
import { beginSet, clientConfig, corked, isSetByTransaction, socketOf } from './client.ts'
import { unreachable } from './errors.ts'
import { begin } from './session.ts'

/**
 * Called when a statement is done: its share of the milliseconds since it was sent, and how many bytes
 * a large answer has.
 */
export type StatementMeasured = (ms: number, bytes: number | undefined) => void

/** One pipelined connection for reads, opened at the first query and again when it breaks. */
export class Reader {
  /** the organization that the connection is set to; undefined if unknown */
  organization: string | undefined
  inFlight = 0
  client: pg.Client | undefined
  send: Send | undefined
  opening: Promise<void> | undefined
  isClosed = false
  options: ConnectOptions
  lane: { finished(organization: string, bytes: number | undefined): void }

  constructor(options: ConnectOptions, lane: Reader['lane']) {
    this.options = options
    this.lane = lane
  }

  /** Sends a statement that got a place from the lane's queue, and releases the place. */
  async query(
    organization: string,
    statement: Statement | string,
    measured?: StatementMeasured,
  ): Promise<Rows> {
    // those that were sent before it are answered before it
    const ahead = ++this.inFlight
    let begun: number | undefined
    let bytes: number | undefined
    try {
      const send = this.send ?? (await this.connected())
      const isSetAnew = isSetByTransaction(this.options)
      if (!isSetAnew && this.organization !== organization) {
        this.organization = organization
        const text = `select set_config('app.organization', $1, false)`
        // order is guaranteed on the connection: no need to wait for the answer
        const config = {
          name: 'organization',
          text,
          values: [organization],
          rowMode: 'array' as const,
        }
        send(config).catch(() => (this.organization = undefined))
      }
      begun = performance.now()
      const rows = await (isSetAnew
        ? this.inTransaction(send, organization, statement)
        : send(statement))
      bytes = rows.bytes
      return rows
    } finally {
      this.inFlight--
      this.lane.finished(organization, bytes)
      if (begun !== undefined) measured?.((performance.now() - begun) / ahead, bytes)
    }
  }

  /** A read in a transaction with its settings, all sent at once. */
  async inTransaction(
    send: Send,
    organization: string,
    statement: Statement | string,
  ): Promise<Rows> {
    const text = typeof statement === 'string' ? statement : statement.text
    const begun = Promise.all(
      beginSet(this.options, 'read', organization, text.includes('search_guess')).map((each) =>
        send(each),
      ),
    )
    begun.catch(() => {})
    const answer = send(statement)
    answer.catch(() => {})
    send('commit').catch(() => {})
    // where it could not begin, the answer would only be that the transaction is aborted
    await begun
    return answer
  }

  async ping() {
    const send = this.send ?? (await this.connected())
    await send('select 1')
  }

  /** Opens the connection where it is not open; 503 where that is not possible. */
  async connected(): Promise<Send> {
    // what another statement began may be about to fail, for which this one has not waited
    await this.opening?.catch(() => {})
    if (!this.send) await (this.opening ??= this.open())
    if (!this.send) throw unreachable()
    return this.send
  }

  async open() {
    const client = new pg.Client(clientConfig(this.options, 'read'))
    const gone = () => {
      if (this.client !== client) return
      this.client = undefined
      this.send = undefined
    }
    client.on('error', gone)
    client.on('end', gone)
    try {
      await client.connect()
      this.organization = undefined
      let isGone = false
      client.once('end', () => (isGone = true))
      await begin(client, this.options, 'read')
      if (this.isClosed) await client.end()
      else if (!isGone) {
        this.client = client
        this.send = corked(client, this.options)
      }
    } catch (error) {
      socketOf(client).destroy()
      throw error
    } finally {
      this.opening = undefined
    }
  }

  async close() {
    this.isClosed = true
    await this.opening?.catch(() => {})
    const { client } = this
    this.client = undefined
    this.send = undefined
    await client?.end().catch(() => {})
  }
}
