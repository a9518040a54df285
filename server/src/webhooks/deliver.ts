import { Failure } from '../kit/ground/errors.ts'
import { FairQueue } from '../kit/ground/fair-queue.ts'
import { newId } from '../kit/ground/ids.ts'
import { briefTurns } from '../kit/ground/turns.ts'
import type { Runtime } from '../runtime.ts'
import { claimReady, dropRead } from './claim.ts'
import { releaseLane } from './lease.ts'
import { breakOffSlow, demoteSlow } from './demote.ts'
import { poller } from './poll.ts'
import { notifier, renewLeases, renewMs } from './processes.ts'
import { dispatch } from './send.ts'
import type { Transport } from './transport.ts'
import type { DeliveryMetrics, DeliveryWorker } from './worker.ts'
import { roomForRequests, wake } from './worker.ts'

/** Sends the deliveries that writes have queued; any number of processes may do so on one database. */
export type Deliverer = {
  start(): void
  /** the organization may have something to send */
  wake(organization: string): void
  /** finishes the requests in flight; takes some seconds at most */
  stop(): Promise<void>
  metrics: DeliveryMetrics
}

/** How often slow requests are checked. */
const demoteMs = 100
/** How long a stop waits for receivers before it aborts requests. */
const stopMs = 5000

/** The delivery worker of one process. Nothing is sent before `start`. */
export function makeDeliverer(runtime: Runtime, transport: Transport): Deliverer {
  const worker = newWorker(runtime, transport)
  const timers: NodeJS.Timeout[] = []
  const polls = poller(worker)

  return {
    metrics: worker.metrics,
    wake: (organization) => wake(worker, organization),
    start() {
      if (worker.state !== 'new') return
      worker.state = 'running'
      if (transport.policy.allowLoopbackHttp) {
        const { host } = runtime.config
        runtime.log.info({ host }, 'webhooks may go to this machine itself, over http too')
      }
      timers.push(
        setInterval(() => renewLeases(worker), renewMs),
        setInterval(() => takeOutOfLine(worker), demoteMs),
      )
      for (const timer of timers) timer.unref()
      polls.start()
    },
    async stop() {
      if (worker.state === 'stopping') return
      worker.state = 'stopping'
      worker.ready.clear()
      for (const timer of timers) clearInterval(timer)
      for (const lane of worker.lanes.values()) {
        lane.claimTimer.clear()
        lane.sendTimer.clear()
        dropRead(worker, lane)
      }
      await polls.stop()
      await untilIdle(worker)
      await releaseLanes(worker)
      await transport.agent.destroy()
    },
  }
}

/** The state of a worker that has not started. */
export function newWorker(runtime: Runtime, transport: Transport): DeliveryWorker {
  const worker: DeliveryWorker = {
    runtime,
    transport,
    id: newId(),
    state: 'new',
    lanes: new Map(),
    ready: new Set(),
    blocked: new Set(),
    claiming: 0,
    bytes: 0,
    inFlight: 0,
    metrics: {
      outcomes: { delivered: 0, retry: 0, exhausted: 0, gone: 0, dropped: 0, released: 0 },
      inHand: 0,
      lagSeconds: 0,
    },
    isFailing: false,
    pump: () => claimReady(worker),
    turn: (organization) => turns.run(organization, turn),
    dispatch: (lane) => dispatch(worker, lane),
    notify: notifier(runtime, (organization) => {
      // a lane that this process has, or had until a moment ago
      const lane = worker.lanes.get(organization)
      if (lane && performance.now() >= lane.elsewhereUntil) wake(worker, organization)
    }),
  }
  const turn = briefTurns(roomForRequests(worker))
  const bounds = { atOnce: 1, each: 1, waiting: 0, patience: 0 }
  const turns = new FairQueue(
    bounds,
    () => new Failure(503, 'overloaded', 'Too many deliveries wait for their turn'),
  )
  return worker
}

/** Slow requests move to separate places. */
function takeOutOfLine(worker: DeliveryWorker): void {
  if (!worker.inFlight) return
  for (const lane of worker.lanes.values()) {
    if (!lane.inFlight) continue
    if (demoteSlow(lane)) worker.dispatch(lane)
    // its end makes room for the others
    breakOffSlow(worker, lane)
  }
}

/** Resolves when nothing is claimed or in progress; requests that take longer are aborted. */
async function untilIdle(worker: DeliveryWorker): Promise<void> {
  if (!worker.claiming && !worker.metrics.inHand) return
  const idle = new Promise<void>((resolve) => (worker.whenIdle = resolve))
  const late = setTimeout(() => void worker.transport.agent.destroy(), stopMs)
  await idle
  clearTimeout(late)
}

/** Releases the leases, so that other processes need not wait for their end. */
async function releaseLanes({ runtime, id, lanes }: DeliveryWorker): Promise<void> {
  const now = performance.now()
  const held = [...lanes.values()].filter(({ leasedUntil }) => leasedUntil > now)
  for (const { organization } of held) {
    await releaseLane(runtime, organization, id).catch(() => {})
  }
}
