import { allOrganizations } from '../kit/ground/context.ts'
import { suggesterFrom } from '../ai.ts'
import { OrganizationCache } from '../cache.ts'
import type { Config } from '../config.ts'
import { changedChannel, sessionChannel } from '../database/cached-tables.ts'
import type { Database } from '../database/connect.ts'
import { FairQueue } from '../kit/ground/fair-queue.ts'
import { filesFrom } from '../files/open.ts'
import { systemClock } from '../kit/ground/clock.ts'
import type { Log } from '../kit/ground/context.ts'
import { passwordQueue } from '../password-queue.ts'
import { Failure } from '../kit/ground/errors.ts'
import { rowQuota } from '../row-quota.ts'
import type { Runtime } from '../runtime.ts'
import { onLane } from '../runtime.ts'
import { clientDocuments } from '../client-documents.ts'
import { submissionsFrom } from '../docuseal.ts'
import { mailDomains } from '../mail-domains.ts'
import { openIdClient } from '../openid.ts'
import { outbound } from '../outbound.ts'
import { sealAuthorities } from '../seal-authorities.ts'
import { isNameTaken } from '../model/organizations/names.ts'
import type { Secrets } from '../secrets.ts'
import { secretsFrom } from '../secrets.ts'
import { liveStreams } from '../surfaces/application/live-streams.ts'
import { attemptsOf, failureLimiter, signInLimiter } from '../surfaces/limits.ts'
import type { Tokens } from '../surfaces/tokens.ts'
import { makeTokens } from '../surfaces/tokens.ts'
import { ComputationPool } from '../computations/pool.ts'
import type { Deliverer } from '../webhooks/deliver.ts'
import { makeDeliverer } from '../webhooks/deliver.ts'
import { bodyShownTo } from '../webhooks/preview.ts'
import { webhookSender } from '../webhooks/sender.ts'
import type { Transport } from '../webhooks/transport.ts'
import { makeTransport } from '../webhooks/transport.ts'

/** The shared parts of the service, and those that it starts and stops. */
export type Parts = {
  runtime: Runtime
  tokens: Tokens
  transport: Transport
  deliverer: Deliverer
  computations: ComputationPool
}

type Options = {
  config: Config
  database: Database
  secretKey: string
  secrets?: Secrets
  log: Log
  now?: () => Date
  removeOrganization?: Runtime['removeOrganization']
}

/** Builds the parts of a service. Only the listener for other processes' changes is running yet. */
export function buildParts(options: Options): Parts {
  const { config, database, secretKey, secrets, log, now, removeOrganization } = options
  const cache = new OrganizationCache(() => database.isListening())
  const base = {
    config,
    database,
    cache,
    secrets: secrets ?? secretsFrom(secretKey),
    files: filesFrom(config),
    log,
    suggest: suggesterFrom(config),
    now: now ?? systemClock,
    wakeJobs: () => {},
  }
  const tokens = makeTokens(base)
  const transport = makeTransport(config)
  const streams = liveStreams(database, base.now, config.quotas)
  const attempts = attemptsOf(base)
  const failures = failureLimiter(attempts, 'login', config.rateLimits.login)
  const computations = computationsOf(config)
  const runtime: Runtime = {
    ...base,
    removeOrganization,
    readSubmission: submissionsFrom(config, transport.agent, log),
    services: {
      tokens,
      failures,
      signIns: signInLimiter(failures, attempts, config.accountFailures),
      passwords: passwordQueue(config.bounds),
      submissions: failureLimiter(
        attempts,
        'public',
        config.rateLimits.public,
        'Too many submissions from your network, try again in a moment',
      ),
      webhooks: webhookSender(
        transport,
        (organization) => deliverer.wake(organization),
        (ctx, delivery_id) => bodyShownTo(runtime, ctx, delivery_id),
      ),
      openid: openIdClient(transport.agent, log),
      authorities: sealAuthorities(transport.agent),
      outbound: outbound(transport.agent),
      videoCallsUrl: config.videoCallsUrl,
      calendarProviders: config.calendarProviders,
      organizationNames: {
        isTaken: (name, own) => isNameTaken(database.reads(allOrganizations), name, own),
      },
      mailDomains: mailDomains(log),
      clientDocuments: clientDocuments(transport.agent, admitted(transport), log),
      streams,
      quotas: config.quotas,
      rowQuota: rowQuota(database.lane('sign_in'), config.quotas.rowBytes, log),
      inboundDomain: config.inboundDomain,
      gatherSeconds: config.gatherSeconds,
      computations,
    },
  }
  const deliverer = makeDeliverer(onLane(runtime, 'jobs'), transport)
  database.listen(changedChannel, (organization) => {
    if (organization) cache.evict(organization)
    else cache.clear()
    // a user may have been signed out or deactivated, so their streams check again
    streams.changed(organization)
  })
  database.listen(sessionChannel, (payload) => {
    const [organization = '', id = ''] = (payload ?? '').split(' ')
    if (payload) cache.evictOne(organization, `session ${id}`)
    // missed cache evictions are handled by the other channel, which was interrupted too
  })
  return { runtime, tokens, transport, deliverer, computations }
}

/** Requests for documents of OAuth clients, within the same limits per host as deliveries. */
function admitted({ limits }: Transport) {
  return (host: string) => {
    const permit = limits.acquire('client documents', host)
    return permit.granted ? permit : null
  }
}

/** The processes for computations; each organization leaves one of them to others, and waits only for itself. */
function computationsOf({ computations }: Config): ComputationPool {
  const { processes, waiting } = computations
  const each = Math.max(1, processes - 1)
  const bounds = { atOnce: processes, each, waiting, patience: 10_000 }
  const busy = 'Too much of what takes long is requested at once, try again'
  const ours = 'Your organization requests too much of what takes long at once, try again'
  const places = new FairQueue(
    bounds,
    (isOurs) => new Failure(503, 'workers_busy', isOurs ? ours : busy, { retryAfter: 2 }),
  )
  return new ComputationPool(computations, places)
}
