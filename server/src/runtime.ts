import type { OrganizationCache } from './cache.ts'
import type { Config } from './config.ts'
import { type Database } from './database/connect.ts'
import type { Actor, Context, Log, Queries, Suggest } from './kit/ground/context.ts'
import { emitter, manyEmitter } from './kit/write/events.ts'
import type { Files } from './kit/ground/files.ts'
import { newId } from './kit/ground/ids.ts'
import type { Secrets } from './secrets.ts'
import { enqueuer } from './kit/write/outbox.ts'
import { firstAttempt } from './kit/ground/retry.ts'
import { allOrganizations } from './kit/ground/context.ts'

/** The parts that a running service shares. Built once by `service.ts`. */
export type Runtime = {
  config: Config
  database: Database
  cache: OrganizationCache
  secrets: Secrets
  files: Files
  log: Log
  suggest?: Suggest
  now(): Date
  /** the organization has deliveries to make */
  wake(organization: string): void
  /** jobs have been asked for */
  wakeJobs(): void
}

export type Organization = Context['organization']

/** Who calls, for whom and from where: what a context needs beside its queries. */
export type Caller = {
  organization: Organization
  actor: Actor
  source: string
  request_id: string
  expects?: number[]
}

/** A context whose queries read. */
export function readingContext(runtime: Runtime, caller: Caller): Context {
  return contextOf(runtime, caller, runtime.database.reads(caller.organization.id), () => {
    throw new Error('nothing is committed in a read')
  })
}

/**
 * Runs a write in one transaction with a context of its own. Hints given to `afterCommit` run when
 * it is committed, and are dropped when it is rolled back or run again.
 */
export async function inTransaction<T>(
  runtime: Runtime,
  caller: Caller,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  let hints: (() => void)[] = []
  const result = await runtime.database.transaction(caller.organization.id, (queries) => {
    hints = []
    return run(contextOf(runtime, caller, queries, (hint) => hints.push(hint)))
  })
  for (const hint of new Set(hints)) hint()
  return result
}

/**
 * The same transaction on behalf of others: another organization, actor or time, for the operator's
 * own work. Nothing is remembered between calls, and what changed is told by the database's NOTIFY.
 */
export function onBehalf(
  base: Context,
  others: Partial<Pick<Context, 'organization' | 'actor' | 'source' | 'now' | 'cached' | 'forget'>>,
): Context {
  const ctx: Context = {
    ...base,
    cached: (_name, load) => load(ctx),
    forget() {},
    ...others,
  }
  ctx.emit = emitter(ctx, () => {})
  ctx.emitMany = manyEmitter(ctx, () => {})
  ctx.enqueue = enqueuer(ctx, () => {})
  return ctx
}

/** Runs the operator's own work: one transaction over all organizations, as the service itself. */
export function asOperator<T>(runtime: Runtime, run: (ctx: Context) => Promise<T>): Promise<T> {
  const organization = { id: allOrganizations, name: '', timezone: 'UTC' }
  const caller = { organization, actor: system, source: 'job', request_id: newId() }
  return inTransaction(runtime, caller, (ctx) => run(onBehalf(ctx, {})))
}

/** The actor of jobs and of the command line. */
export const system: Actor = {
  type: 'system',
  user_id: null,
  full_name: 'Perennial',
  role_id: null,
  role_name: 'system',
  is_confined: false,
  permission: new Proxy(
    {},
    { get: () => ({ create: 'all', read: 'all', update: 'all', delete: 'all' }) },
  ),
  team: [],
  account_id: null,
}

function contextOf(
  runtime: Runtime,
  caller: Caller,
  queries: Queries,
  afterCommit: (hint: () => void) => void,
): Context {
  const now = runtime.now()
  const organization = caller.organization.id
  const ctx: Context = {
    ...queries,
    ...caller,
    now: () => now,
    public_url: runtime.config.publicUrl,
    log: runtime.log,
    secrets: runtime.secrets,
    suggest: runtime.suggest,
    files: runtime.files,
    emit: () => '',
    emitMany: () => {},
    enqueue: () => {},
    afterCommit,
    // never from inside the transaction, whose changes others may not see yet
    cached: (name, load) =>
      runtime.cache.get(organization, name, () => load(runtime.database.reads(organization))),
    forget: () => afterCommit(() => runtime.cache.forget(organization)),
  }
  // looked up when it is called: the worker that listens starts after the first request may come
  const delayMs = firstAttempt(runtime.config.webhookRetrySchedule, Math.random())
  const wake = () => runtime.wake(organization)
  ctx.emit = emitter(ctx, wake, delayMs)
  ctx.emitMany = manyEmitter(ctx, wake, delayMs)
  ctx.enqueue = enqueuer(ctx, () => runtime.wakeJobs())
  return ctx
}
