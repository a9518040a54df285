import type { Runtime } from '../runtime.ts'
import { claimReady } from './claim.ts'
import { renewLeases } from './leases.ts'
import { dueOrganizations, renewMs } from './queue.ts'
import type { Transport } from './transport.ts'
import type { DeliveryMetrics, DeliveryWorker } from './worker.ts'
import { removeIfIdle, reportError, wake } from './worker.ts'

/** Sends what the writes have queued; any number of processes may do so on one database. */
export type Deliverer = {
  start(): void
  /** the organization may have something to send */
  wake(organization: string): void
  /** finishes what is on its way or gives it back; takes some seconds at most */
  stop(): Promise<void>
  metrics: DeliveryMetrics
}

/** Deliveries queued by other processes are found by polling this often; own writes wake at once. */
const pollMs = 1000
/** How long a stop waits for receivers before it breaks off. */
const stopMs = 5000

/** The delivery worker of one process. Nothing is sent before `start`. */
export function makeDeliverer(runtime: Runtime, transport: Transport): Deliverer {
  const worker = newWorker(runtime, transport)
  const timers: NodeJS.Timeout[] = []
  let polling: Promise<void> | undefined
  const poll = () => {
    polling ??= wakeDue(worker).finally(() => (polling = undefined))
  }

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
        setInterval(poll, pollMs),
        setInterval(() => renewLeases(worker), renewMs),
      )
      for (const timer of timers) timer.unref()
      poll()
    },
    async stop() {
      if (worker.state === 'stopping') return
      worker.state = 'stopping'
      worker.ready.clear()
      for (const timer of timers) clearInterval(timer)
      for (const lane of worker.lanes.values()) clearTimeout(lane.wakeTimer)
      await polling
      await untilIdle(worker)
      await transport.agent.destroy()
    },
  }
}

function newWorker(runtime: Runtime, transport: Transport): DeliveryWorker {
  const worker: DeliveryWorker = {
    runtime,
    transport,
    state: 'new',
    lanes: new Map(),
    ready: new Set(),
    claiming: 0,
    bytes: 0,
    metrics: {
      outcomes: { delivered: 0, retry: 0, exhausted: 0, gone: 0, dropped: 0, released: 0 },
      inHand: 0,
      lagSeconds: 0,
    },
    isFailing: false,
    pump: () => claimReady(worker),
  }
  return worker
}

/** Wakes every organization that has something due, whoever queued it. */
async function wakeDue(worker: DeliveryWorker): Promise<void> {
  try {
    const organizations = await dueOrganizations(worker.runtime)
    if (!organizations.length && !worker.metrics.inHand) worker.metrics.lagSeconds = 0
    for (const organization of organizations) wake(worker, organization)
    for (const lane of worker.lanes.values()) removeIfIdle(worker, lane)
  } catch (error) {
    reportError(worker, error)
  }
}

/** Resolves when nothing is claimed or in hand; requests that take longer are broken off. */
async function untilIdle(worker: DeliveryWorker): Promise<void> {
  if (!worker.claiming && !worker.metrics.inHand) return
  const idle = new Promise<void>((resolve) => (worker.whenIdle = resolve))
  const late = setTimeout(() => void worker.transport.agent.destroy(), stopMs)
  await idle
  clearTimeout(late)
}
