import type { Runtime } from '../runtime.ts'
import { permitted } from './access.ts'
import { attempt } from './attempt.ts'
import { loadMissingData } from './data.ts'
import type { Transport } from './transport.ts'
import type { ClaimShare } from './plan.ts'
import { hostOf, planClaim } from './plan.ts'
import type { Claimed, Due } from './queue.ts'
import { claim, dueOrganizations, dueSubscriptions, renew, renewMs } from './queue.ts'
import type { Outcome } from './settle.ts'
import { settle } from './settle.ts'

/** What the worker of this process has done and is doing, for the metrics page. */
export type DeliveryMetrics = {
  /** settled attempts by what became of them */
  outcomes: { [state in Outcome['state']]: number }
  /** deliveries in hand: claimed and not yet settled */
  inHand: number
  /** how long the longest waiting delivery of the last claim had been due */
  lagSeconds: number
}

/** Sends what the writes have queued; any number of processes may do so on one database. */
export type Deliverer = {
  start(): void
  /** the organization may have something to send */
  wake(organization: string): void
  /** finishes what is on its way or gives it back; takes some seconds at most */
  stop(): Promise<void>
  metrics: DeliveryMetrics
}

/** What one organization has in hand here. Each is claimed for and settled on its own. */
type Lane = {
  organization: string
  isClaiming: boolean
  claimedAt: number
  /** the deliveries in hand by id, with the time of their lease */
  held: Map<string, { leasedAt: number; bytes: number }>
  outcomes: Outcome[]
  settling: Promise<void> | undefined
  settleTimer: NodeJS.Timeout | undefined
  /** sends wait for one of their host's to end */
  isBlocked: boolean
  wakeTimer: NodeJS.Timeout | undefined
  wakeAt: number
}

/** What other processes wrote is found by asking this often; this process's writes wake at once. */
const pollMs = 1000
/**
 * One organization's claim takes at most this many. With claims of 100, a pause of 10 ms before
 * outcomes are written, and limits per host off, one process made 2,900 deliveries a second to a
 * receiver on the same two cores; claims of 20 made 1,900, of 400 no more than of 100.
 */
const batch = 100
const settleMs = 10
/** Organizations that are claimed for at once: the pool of connections is the requests' too. */
const claimsAtOnce = 4
/** A burst of writes to one organization shares a claim. */
const pauseMs = 20
/** Ends new claims; requests that hang hold their places for up to 15 s. */
const mostInHand = 2000
const mostBytes = 256 * 1024 * 1024
/** How long a stop waits for receivers before it breaks off. */
const stopMs = 5000

/** The worker of one process. Nothing is sent before `start`. */
export function makeDeliverer(runtime: Runtime, outlet: Transport): Deliverer {
  const { log, config } = runtime
  const lanes = new Map<string, Lane>()
  const ready = new Set<string>()
  const timers: NodeJS.Timeout[] = []
  const metrics: DeliveryMetrics = {
    outcomes: { delivered: 0, retry: 0, exhausted: 0, gone: 0, dropped: 0, released: 0 },
    inHand: 0,
    lagSeconds: 0,
  }
  let state: 'new' | 'running' | 'stopping' = 'new'
  let claiming = 0
  let bytes = 0
  let polling: Promise<void> | undefined
  let isTroubled = false
  let whenIdle: (() => void) | undefined

  function wake(organization: string) {
    if (state !== 'running') return
    ready.add(organization)
    pump()
  }

  /** Claims in turn for the organizations that are ready, as far as there is room. */
  function pump() {
    for (const organization of ready) {
      if (state !== 'running' || claiming >= claimsAtOnce) return
      if (metrics.inHand >= mostInHand || bytes >= mostBytes) return
      const lane = laneOf(organization)
      if (lane.isClaiming) continue
      ready.delete(organization)
      const pause = lane.claimedAt + pauseMs - performance.now()
      if (pause > 0) wakeLater(lane, pause)
      else void serve(lane)
    }
  }

  function laneOf(organization: string): Lane {
    let lane = lanes.get(organization)
    if (!lane) {
      lane = {
        organization,
        isClaiming: false,
        claimedAt: -Infinity,
        held: new Map(),
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

  function wakeLater(lane: Lane, ms: number) {
    const at = performance.now() + ms
    if (lane.wakeAt <= at || state !== 'running') return
    clearTimeout(lane.wakeTimer)
    lane.wakeAt = at
    lane.wakeTimer = setTimeout(() => {
      lane.wakeAt = Infinity
      wake(lane.organization)
    }, ms).unref()
  }

  /** One claim for one organization: three queries however many deliveries it takes. */
  async function serve(lane: Lane) {
    const { organization } = lane
    lane.isClaiming = true
    lane.isBlocked = false
    lane.claimedAt = performance.now()
    claiming++
    try {
      const due = await dueSubscriptions(runtime, organization)
      const room = Math.min(batch, mostInHand - metrics.inHand)
      const plan = planClaim(organization, due, Math.max(1, room), outlet)
      const claimed = plan.length ? await claim(runtime, organization, plan) : []
      await send(lane, claimed, new Map(due.map((each) => [each.id, each])))
      isTroubled = false
      next(lane, due, plan, claimed)
    } catch (error) {
      trouble(error)
      wakeLater(lane, pollMs)
    } finally {
      claiming--
      lane.isClaiming = false
      tidy(lane)
      pump()
    }
  }

  async function send(lane: Lane, claimed: Claimed[], due: Map<string, Due>) {
    const leasedAt = performance.now()
    const now = +runtime.now()
    if (claimed.length) metrics.lagSeconds = 0
    for (const { id, data, due_at } of claimed) {
      lane.held.set(id, { leasedAt, bytes: data?.length ?? 0 })
      bytes += data?.length ?? 0
      metrics.inHand++
      metrics.lagSeconds = Math.max(metrics.lagSeconds, (now - Date.parse(due_at)) / 1000)
    }
    const allowed = await checked(lane, claimed, due)
    for (const delivery of claimed) {
      const subscription = due.get(delivery.subscription_id)!
      const permit =
        allowed?.has(delivery.id) && state === 'running'
          ? outlet.limits.acquire(lane.organization, hostOf(subscription))
          : undefined
      if (permit?.granted) {
        void attempt(runtime, outlet, delivery, subscription).then((outcome) => {
          permit.release()
          done(lane, outcome)
          if (lane.isBlocked) wakeLater(lane, pauseMs)
        })
      } else {
        const isDropped = allowed && !allowed.has(delivery.id)
        done(lane, { delivery, subscription, state: isDropped ? 'dropped' : 'released' })
      }
    }
  }

  /** Which of them may be sent; undefined when that cannot be told now. */
  async function checked({ organization }: Lane, claimed: Claimed[], due: Map<string, Due>) {
    try {
      const allowed = await permitted(runtime, organization, claimed, due)
      await loadMissingData(
        runtime,
        organization,
        claimed.filter(({ id }) => allowed.has(id)),
      )
      return allowed
    } catch (error) {
      trouble(error)
      return undefined
    }
  }

  function done(lane: Lane, outcome: Outcome) {
    lane.outcomes.push(outcome)
    if (lane.settling) return
    lane.settleTimer ??= setTimeout(() => void flush(lane), settleMs)
  }

  /** Writes the outcomes that have gathered; keeps at it while the database is away. */
  function flush(lane: Lane): Promise<void> {
    clearTimeout(lane.settleTimer)
    lane.settleTimer = undefined
    return (lane.settling ??= settleAll(lane).finally(() => {
      lane.settling = undefined
      tidy(lane)
      pump()
    }))
  }

  async function settleAll(lane: Lane) {
    while (lane.outcomes.length) {
      const outcomes = lane.outcomes.splice(0, 500)
      try {
        await settle(runtime, lane.organization, outcomes)
      } catch (error) {
        trouble(error)
        // at the end the leases run out by themselves, and others try again
        if (state === 'stopping') forget(lane, outcomes)
        else {
          lane.outcomes.unshift(...outcomes)
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        continue
      }
      isTroubled = false
      forget(lane, outcomes)
      const now = +runtime.now()
      for (const outcome of outcomes) {
        metrics.outcomes[outcome.state]++
        if (!outcome.next_attempt_at) continue
        const waitMs = Date.parse(outcome.next_attempt_at) - now
        if (waitMs < pollMs) wakeLater(lane, Math.max(1, waitMs))
      }
    }
  }

  function forget(lane: Lane, outcomes: Outcome[]) {
    for (const { delivery } of outcomes) {
      const held = lane.held.get(delivery.id)
      if (!held) continue
      lane.held.delete(delivery.id)
      metrics.inHand--
      bytes -= held.bytes
    }
  }

  /** When to claim again, if what is due was not all taken. */
  function next(lane: Lane, due: Due[], plan: ClaimShare[], claimed: Claimed[]) {
    const taken = new Map<string, number>()
    for (const { subscription_id } of claimed) {
      taken.set(subscription_id, (taken.get(subscription_id) ?? 0) + 1)
    }
    const wanted = new Map(plan.map(({ subscription_id, most }) => [subscription_id, most]))
    for (const subscription of due) {
      if ((taken.get(subscription.id) ?? 0) < (wanted.get(subscription.id) ?? 0)) continue
      const { free, waitMs } = outlet.limits.room(lane.organization, hostOf(subscription), 1)
      if (free) return void ready.add(lane.organization)
      if (waitMs === null) lane.isBlocked = true
      else wakeLater(lane, Math.max(pauseMs, waitMs))
    }
  }

  /** Forgets a lane that has nothing in hand and waits for nothing. */
  function tidy(lane: Lane) {
    const isIdle = !lane.isClaiming && !lane.held.size && !lane.settling && lane.wakeAt === Infinity
    // a lane that has just claimed remembers when, so that it pauses before the next claim
    if (isIdle && performance.now() - lane.claimedAt > pauseMs) lanes.delete(lane.organization)
    if (state === 'stopping' && !claiming && !metrics.inHand) whenIdle?.()
  }

  function poll() {
    polling ??= dueOrganizations(runtime)
      .then((organizations) => {
        if (!organizations.length && !metrics.inHand) metrics.lagSeconds = 0
        for (const organization of organizations) wake(organization)
        for (const lane of lanes.values()) tidy(lane)
      }, trouble)
      .finally(() => (polling = undefined))
  }

  function renewLeases() {
    const now = performance.now()
    for (const { organization, held } of lanes.values()) {
      const old = [...held].filter(([, { leasedAt }]) => now - leasedAt > renewMs - 1000)
      if (!old.length) continue
      const renewed = () => {
        for (const [, each] of old) each.leasedAt = now
      }
      renew(
        runtime,
        organization,
        old.map(([id]) => id),
      ).then(renewed, trouble)
    }
  }

  function trouble(error: unknown) {
    if (!isTroubled) log.error({ err: error }, 'webhooks cannot be delivered right now')
    isTroubled = true
  }

  return {
    metrics,
    wake,
    start() {
      if (state !== 'new') return
      state = 'running'
      if (outlet.policy.allowLoopbackHttp) {
        log.info({ host: config.host }, 'webhooks may go to this machine itself, over http too')
      }
      timers.push(setInterval(poll, pollMs), setInterval(renewLeases, renewMs))
      for (const timer of timers) timer.unref()
      poll()
    },
    async stop() {
      if (state === 'stopping') return
      state = 'stopping'
      ready.clear()
      for (const timer of timers) clearInterval(timer)
      for (const lane of lanes.values()) clearTimeout(lane.wakeTimer)
      await polling
      const idle = new Promise<void>((resolve) => (whenIdle = resolve))
      if (claiming || metrics.inHand) {
        const late = setTimeout(() => void outlet.agent.destroy(), stopMs)
        await idle
        clearTimeout(late)
      }
      for (const timer of timers) clearInterval(timer)
      await outlet.agent.destroy()
    },
  }
}
