import type { Runtime } from '../runtime.ts'
import type { Outcome } from './settle.ts'
import type { Transport } from './transport.ts'

/** What the delivery worker of this process has done and is doing, for the metrics page. */
export type DeliveryMetrics = {
  /** settled attempts by what became of them */
  outcomes: { [state in Outcome['state']]: number }
  /** deliveries in hand: claimed and not yet settled */
  inHand: number
  /** how long the longest waiting delivery of the last claim had been due */
  lagSeconds: number
}

/** What one organization has in hand in this process. Each lane is claimed for and settled on its own. */
export type Lane = {
  organization: string
  isClaiming: boolean
  /** when the last claim began, by `performance.now()` like all times of a lane */
  claimedAt: number
  /** the deliveries in hand by id */
  held: Map<string, { leasedAt: number; bytes: number }>
  /** their size together */
  bytes: number
  /** finished attempts that are not yet written */
  outcomes: Outcome[]
  settling: Promise<void> | undefined
  settleTimer: NodeJS.Timeout | undefined
  /** deliveries wait for a request of the organization, or to the same host, to end */
  isBlocked: boolean
  wakeTimer: NodeJS.Timeout | undefined
  wakeAt: number
}

/** The state of a process's delivery worker: its parts (claim, send, settle, renew) share it. */
export type DeliveryWorker = {
  runtime: Runtime
  transport: Transport
  state: 'new' | 'running' | 'stopping'
  lanes: Map<string, Lane>
  /** organizations to claim for as soon as there is room */
  ready: Set<string>
  /** claims under way */
  claiming: number
  /** size of the deliveries in hand */
  bytes: number
  metrics: DeliveryMetrics
  /** the last access to the database failed, and was logged */
  isFailing: boolean
  /** claims for the organizations that are ready, as far as there is room */
  pump(): void
  /** called while stopping, once nothing is in hand */
  whenIdle?: () => void
}

/** What deliveries in hand may hold of the heap; one organization's may hold a quarter of it. */
const mostBytes = 256 * 1024 * 1024
/** A burst of writes to one organization shares a claim. */
export const pauseMs = 20

/**
 * How many more deliveries the worker may take in hand; 0 when their bytes are the limit. Requests
 * that hang hold their places for up to 15 s.
 */
export function roomOf({ metrics, bytes, runtime: { config } }: DeliveryWorker): number {
  if (bytes >= mostBytes) return 0
  return config.webhookConcurrency
    ? Math.max(0, config.webhookConcurrency - metrics.inHand)
    : Infinity
}

/**
 * How many of these may be the organization's: its slow hosts hold up nobody else. None holds more than
 * what is still free, so that there is always a place for one that holds nothing yet.
 */
export function roomIn(worker: DeliveryWorker, { held, bytes }: Lane): number {
  const { webhookOrganizationConcurrency: most } = worker.runtime.config
  const room = roomOf(worker)
  if (!most) return room
  if (bytes >= mostBytes / 4) return 0
  return Math.max(0, Math.min(room, most) - held.size)
}

/** The organization's lane, added when it has none. */
export function laneOf({ lanes }: DeliveryWorker, organization: string): Lane {
  let lane = lanes.get(organization)
  if (!lane) {
    lane = {
      organization,
      isClaiming: false,
      claimedAt: -Infinity,
      held: new Map(),
      bytes: 0,
      outcomes: [],
      settling: undefined,
      settleTimer: undefined,
      isBlocked: false,
      wakeTimer: undefined,
      wakeAt: Infinity,
    }
    lanes.set(organization, lane)
  }
  return lane
}

/** The organization may have something to send; ignored unless the worker runs. */
export function wake(worker: DeliveryWorker, organization: string): void {
  if (worker.state !== 'running') return
  worker.ready.add(organization)
  worker.pump()
}

/** Wakes a lane in `ms`, unless it is woken sooner anyway. */
export function wakeLater(worker: DeliveryWorker, lane: Lane, ms: number): void {
  const at = performance.now() + ms
  if (lane.wakeAt <= at || worker.state !== 'running') return
  clearTimeout(lane.wakeTimer)
  lane.wakeAt = at
  lane.wakeTimer = setTimeout(() => {
    lane.wakeAt = Infinity
    wake(worker, lane.organization)
  }, ms).unref()
}

/** Removes a lane that has nothing in hand and waits for nothing; ends a stop that waited for it. */
export function removeIfIdle(worker: DeliveryWorker, lane: Lane): void {
  const isIdle = !lane.isClaiming && !lane.held.size && !lane.settling && lane.wakeAt === Infinity
  // a lane that has just claimed stays, so that its next claim pauses
  if (isIdle && performance.now() - lane.claimedAt > pauseMs) worker.lanes.delete(lane.organization)
  if (worker.state === 'stopping' && !worker.claiming && !worker.metrics.inHand) worker.whenIdle?.()
}

/** Logs the first of a series of errors; `worker.isFailing` is cleared by the next success. */
export function reportError(worker: DeliveryWorker, error: unknown): void {
  if (!worker.isFailing) {
    worker.runtime.log.error({ err: error }, 'webhooks cannot be delivered right now')
  }
  worker.isFailing = true
}
