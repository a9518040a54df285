import type { OrganizationCache } from './cache.ts'
import type { Config } from './config.ts'
import type { ReadSubmission } from './docuseal.ts'
import { type Database } from './database/connect.ts'
import type {
  Actor,
  Context,
  Log,
  Organization,
  PublicContext,
  Queries,
  Suggest,
} from './kit/ground/context.ts'
import { databaseNow } from './kit/ground/clock.ts'
import { allOrganizations, noOrganization } from './kit/ground/context.ts'
import type { Cost, Lane } from './kit/ground/limits.ts'
import { inline } from './kit/ground/computation.ts'
import type { Emitting } from './kit/write/events.ts'
import { emitter } from './kit/write/events.ts'
import type { Files } from './kit/ground/files.ts'
import { newId } from './kit/ground/ids.ts'
import type { Secrets } from './secrets.ts'
import { forOrganization } from './kit/ground/sql.ts'
import { enqueuer } from './kit/write/outbox.ts'
import { firstAttempt } from './kit/ground/retry.ts'

/** The shared parts of a running service. Built once by `service.ts`. */
export type Runtime = {
  config: Config
  database: Database
  cache: OrganizationCache
  secrets: Secrets
  files: Files
  log: Log
  suggest?: Suggest
  /** asks DocuSeal itself, where its API is configured */
  readSubmission?: ReadSubmission | undefined
  /** removes an organization for good, where the service is connected as one who may; for demonstrations */
  removeOrganization?: ((id: string) => Promise<unknown>) | undefined
  services: Context['services']
  now(): Date
  /** called when jobs have been enqueued */
  wakeJobs(): void
}

/** Who calls, for whom and from where: what a context needs besides its queries. */
export type Caller = {
  organization: Organization
  actor: Actor
  source: string
  request_id: string
  /** whether somebody else reads as the actor, so that nothing is counted or written for them */
  isViewing?: boolean
}

/** A context for reads. */
export function readingContext(runtime: Runtime, caller: Caller): Context {
  const { database } = runtime
  const { id } = caller.organization
  return contextOf(runtime, caller, database.reads(id), notWriting, (cost, table) =>
    database.reads(id, cost, table),
  )
}

/** The same runtime over the connections of a lane, such as that of jobs. */
export function onLane(runtime: Runtime, lane: Lane): Runtime {
  // inherits, so that properties set on the runtime later, such as how jobs are woken, apply here too
  return Object.create(runtime, {
    database: { value: runtime.database.lane(lane), enumerable: true },
  }) as Runtime
}

/**
 * The context of an operation that anyone may call, for a caller who may be anonymous. It can only
 * read; to write, it must first act as a user whom it has identified.
 */
export function publicContext(runtime: Runtime, caller: Caller): PublicContext {
  const { source, request_id } = caller
  return Object.assign(readingContext(runtime, caller), {
    lookup: runtime.database.reads(allOrganizations),
    actAs({ organization, actor }: Pick<Caller, 'organization' | 'actor'>) {
      const identified: Caller = { organization, actor, source, request_id }
      return {
        reads: readingContext(runtime, identified),
        write: <T>(run: (ctx: Context) => Promise<T>) => inTransaction(runtime, identified, run),
      }
    },
  })
}

/** A caller of the application surface without credentials. */
export function anonymousCaller(request_id: string): Caller {
  return { organization: noOrganization, actor: anonymous, source: 'application', request_id }
}

/**
 * Runs a write in one transaction with its own context. The callbacks of `afterCommit` run when it is
 * committed, and are dropped when it is rolled back or run again.
 */
export async function inTransaction<T>(
  runtime: Runtime,
  caller: Caller,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  let hints: (() => void)[] = []
  const result = await runtime.database.transaction(caller.organization.id, (queries) => {
    hints = []
    const afterCommit = (hint: () => void) => hints.push(hint)
    const ctx = contextOf(runtime, caller, queries, afterCommit, () => queries)
    return run(withEmitters(runtime, ctx))
  })
  for (const hint of new Set(hints)) hint()
  return result
}

/**
 * The same transaction for another organization, actor or time, for the operator's
 * own work. Nothing is cached between calls, and other processes learn of changes by NOTIFY.
 */
export function onBehalf(
  base: Context,
  others: Partial<Pick<Context, 'organization' | 'actor' | 'source' | 'now' | 'cached' | 'forget'>>,
  emitting: Pick<Emitting, 'eventId'> = {},
): Context {
  const { id } = others.organization ?? base.organization
  const queries = id === allOrganizations ? base : forOrganization(base, id)
  const ctx: Context = {
    ...base,
    ...queries,
    reading: () => queries,
    cached: (_name, load) => load(ctx),
    forget() {},
    ...others,
  }
  Object.assign(ctx, emitter(ctx, emitting))
  ctx.enqueue = enqueuer(ctx)
  return ctx
}

/** Runs the operator's own work: one transaction over all organizations, as the service itself. */
export function asOperator<T>(runtime: Runtime, run: (ctx: Context) => Promise<T>): Promise<T> {
  const organization = { id: allOrganizations, name: '', timezone: 'UTC' }
  const caller = { organization, actor: system, source: 'job', request_id: newId() }
  return inTransaction(runtime, caller, (ctx) => run(onBehalf(ctx, {})))
}

/** The services of a command, which itself serves, sends and streams nothing. */
export const noServices: Context['services'] = {
  tokens: { lifetime: 0, sign: outsideService },
  failures: { check: outsideService, failed: outsideService },
  signIns: { check: outsideService, failed: outsideService, succeeded: outsideService },
  passwords: { checkRoom: outsideService, hash: outsideService, verify: outsideService },
  submissions: { check: outsideService, failed: outsideService },
  // the running service finds the deliveries by polling
  webhooks: {
    checkUrl: outsideService,
    post: outsideService,
    wake() {},
    bodyShownTo: outsideService,
  },
  openid: { check: outsideService, begin: outsideService, finish: outsideService },
  authorities: { ask: outsideService },
  outbound: { ask: outsideService },
  videoCallsUrl: null,
  calendarProviders: { google: null, microsoft: null },
  organizationNames: { isTaken: outsideService },
  mailDomains: { names: outsideService },
  clientDocuments: { isKnown: outsideService, read: outsideService },
  streams: {
    reserve: outsideService,
    follow: outsideService,
    since: outsideService,
    // the running service finds the events by polling
    written() {},
    // and notifications when the streams send a heartbeat
    notified() {},
    count: () => 0,
    now: () => new Date(),
  },
  quotas: {
    mailsPerDay: 0,
    mailsPerAddress: 0,
    remindersPerRecord: 0,
    streamsPerUser: 0,
    streamsPerOrganization: 0,
    streams: 0,
    subscriptions: 0,
    subscriptionsPerHost: 0,
    waitingDeliveries: 0,
    storageBytes: 0,
    rowBytes: 0,
  },
  rowQuota: { check() {}, checkAnswer() {}, refresh: outsideService },
  inboundDomain: null,
  gatherSeconds: 0,
  computations: inline,
}

function outsideService(): never {
  throw new Error('this is done by the running service only')
}

/** The actor of jobs and of the command line. */
export const system: Actor = {
  type: 'system',
  user_id: null,
  full_name: 'Perennial',
  role_id: null,
  role_name: 'system',
  is_admin: false,
  is_confined: false,
  is_external: false,
  permission: new Proxy(
    {},
    { get: () => ({ create: 'all', read: 'all', update: 'all', delete: 'all' }) },
  ),
  team: [],
  account_id: null,
}

/** The anonymous actor, without any permission. */
const anonymous: Actor = {
  type: 'anonymous',
  user_id: null,
  full_name: '',
  role_id: null,
  role_name: 'anonymous',
  is_admin: false,
  is_confined: true,
  is_external: true,
  permission: {},
  team: [],
  account_id: null,
}

function notWriting(): never {
  throw new Error('nothing is committed in a read')
}

function contextOf(
  runtime: Runtime,
  caller: Caller,
  queries: Queries,
  afterCommit: (hint: () => void) => void,
  reading: (cost: Cost, table?: string) => Queries,
): Context {
  const now = runtime.now()
  const organization = caller.organization.id
  const ctx: Context = {
    ...queries,
    ...caller,
    reading,
    limits: runtime.config.limits,
    now: () => now,
    public_url: runtime.config.publicUrl,
    log: runtime.log,
    secrets: runtime.secrets,
    suggest: runtime.suggest,
    files: runtime.files,
    services: runtime.services,
    emit: notWriting,
    emitMany: (happenings) => (happenings.length ? notWriting() : []),
    enqueue: notWriting,
    afterCommit,
    // never from inside the transaction, whose changes others must not see yet
    cached: (name, load) =>
      runtime.cache.get(organization, name, () => load(runtime.database.reads(organization))),
    forget: () => afterCommit(() => runtime.cache.evict(organization)),
  }
  return ctx
}

/** Emitting and enqueuing, which only writes need. */
function withEmitters(runtime: Runtime, ctx: Context): Context {
  // read at each call, because the delivery worker may start after the first request
  const delayMs = firstAttempt(runtime.config.webhookRetrySchedule, Math.random())
  const from = databaseNow(runtime)
  const wake = (deliveries: number) => {
    const { id } = ctx.organization
    runtime.database.charge(id, deliveries)
    runtime.services.webhooks.wake(id)
  }
  const wakeJobs = () => runtime.wakeJobs()
  const emitting = { wake, from, delayMs, wakeJobs }
  Object.assign(ctx, emitter(ctx, emitting))
  ctx.enqueue = enqueuer(ctx, emitting)
  return ctx
}
