import pg from 'pg'
import type { Queries } from '../kit/ground/context.ts'
import type { Send } from './bounded-query.ts'
import type { ConnectOptions } from './client.ts'
import { changeNotice } from './cached-tables.ts'
import { beginWrite, transactional } from './client.ts'
import { isRetryable, translate } from './errors.ts'
import { queriesOn } from './queries.ts'

/** Where a transaction gets its connection, and its settings. */
type Ways = { connect: () => Promise<pg.PoolClient>; options: ConnectOptions }

/** How often a transaction that fails by a deadlock or a serialization failure is run at most. */
const mostTries = 4

/**
 * Runs a function in one transaction of an organization, with a connection of a pool. It is run
 * again after a deadlock, so the function must have no effect outside it.
 */
export async function transaction<T>(
  ways: Ways,
  organization: string,
  run: (queries: Queries) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(ways, organization, run)
    } catch (error) {
      if (!isRetryable(error) || tries === mostTries) throw translate(error)
    }
  }
}

/**
 * The organization that a connection is still set to from its last transaction; unknown after a failed
 * one.
 */
const organizations = new WeakMap<pg.PoolClient, string>()

async function runOnce<T>(
  { connect, options }: Ways,
  organization: string,
  run: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = await connect()
  let broken: Error | undefined
  const onError = (error: Error) => (broken = error)
  client.on('error', onError)
  const pending: Promise<unknown>[] = []
  const later = (promise: Promise<unknown>) => {
    // awaited before the commit; the catch only keeps Node from reporting it as unhandled
    promise.catch(() => {})
    pending.push(promise)
  }
  let hasChangedCached = false
  /** why the last statement failed that did not fail because of one before it */
  let failure: unknown
  const transmit = transactional(client, options)
  const send: Send = (statement) => {
    if (typeof statement === 'object') hasChangedCached ||= statement.changesCached ?? false
    const sent = transmit(statement)
    sent.catch((error: unknown) => {
      if (!isConsequence(error)) failure = error
    })
    return sent
  }
  try {
    const isSet = organizations.get(client) === organization
    for (const statement of beginWrite(options, organization, isSet)) later(send(statement))
    const isDistributed = options.isDistributed ?? false
    const result = await run(queriesOn(organization, send, { enqueue: later, isDistributed }))
    if (hasChangedCached) later(send(changeNotice(organization)))
    const commit = send({ name: 'commit', text: 'commit', rowMode: 'array' })
    await Promise.all(pending)
    const { command } = await commit
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`)
    organizations.set(client, organization)
    return result
  } catch (error) {
    organizations.delete(client)
    await send('rollback').catch((reason: Error) => (broken ??= reason))
    // of statements that were sent together, the first that fails is the reason, whichever is awaited first
    throw isConsequence(error) && failure ? failure : error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Whether the error is of a statement after the one that failed, in a transaction already aborted. */
function isConsequence(error: unknown): boolean {
  return error instanceof pg.DatabaseError
    ? error.code === '25P02'
    : error instanceof Error && error.message.startsWith('The transaction ended with')
}
