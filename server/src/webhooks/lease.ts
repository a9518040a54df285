import { databaseNow } from '../kit/ground/clock.ts'
import type { Query } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'

/**
 * How long the lease of an organization's lane lasts without renewal, by the database's clock. A
 * running process renews it in time; the deliveries of a killed one are taken over within 15 s, including
 * polling.
 */
export const leaseMs = 8000
/** The minimum remaining time of a lease for sending to continue; below it the lease is renewed first. */
export const spareMs = 4000

/** Leases the organization's lane to a process, or renews its lease; returns no row if another process holds it. */
export function leaseLane(organization: string, owner: string): Query {
  const until = sql`now() + make_interval(secs => ${leaseMs / 1000})`
  // the time is a parameter: Citus allows no time functions in the condition of an upsert
  return sql`insert into delivery_lanes as l (organization_id, owner, leased_at, leased_until)
    values (${organization}, ${owner}, now(), ${until})
    on conflict (organization_id) do update set owner = excluded.owner,
      leased_at = excluded.leased_at, leased_until = excluded.leased_until
      where l.owner = excluded.owner or l.leased_until <= excluded.leased_at
    returning l.organization_id`
}

/** Renews the lease of a lane; false if another process has it meanwhile. */
export async function renewLane(
  { database }: Runtime,
  organization: string,
  owner: string,
): Promise<boolean> {
  const held = await database.transaction(organization, (queries) =>
    queries.one(leaseLane(organization, owner)),
  )
  return held !== undefined
}

/** Milliseconds until another process's lease of a lane ends, unless it is renewed. */
export async function leasedForMs({ database }: Runtime, organization: string): Promise<number> {
  const row = await database.reads(organization).one<{ ms: number }>(sql`
    select ceil(extract(epoch from l.leased_until - now()) * 1000)::integer as ms
    from delivery_lanes l where l.organization_id = ${organization}`)
  return Math.max(0, row?.ms ?? 0)
}

/** Releases a lane, so that another process need not wait for the end of the lease. */
export async function releaseLane(
  { database }: Runtime,
  organization: string,
  owner: string,
): Promise<void> {
  await database.transaction(organization, (queries) =>
    queries.run(sql`update delivery_lanes l set leased_until = now()
      where l.organization_id = ${organization} and l.owner = ${owner} and l.leased_until > now()`),
  )
}

/** An organization with deliveries that are due now or in `due_ms`. */
export type Waiting = { organization_id: string; due_ms: number; is_elsewhere: boolean }

/**
 * The organizations that have deliveries due within `withinMs`: one index probe for each
 * subscription with waiting deliveries, and none for the others. Citus does not support
 * such probes over all machines, so there each machine reads what is due on it.
 */
export function waitingOrganizations(
  runtime: Runtime,
  owner: string,
  withinMs: number,
): Promise<Waiting[]> {
  const now = databaseNow(runtime)
  const waits = sql`d.status in ('pending', 'failing')`
  const first = sql`d.organization_id, d.subscription_id, d.next_attempt_at`
  const order = sql`order by d.organization_id, d.subscription_id, d.next_attempt_at limit 1`
  const within = sql`${now} + make_interval(secs => ${withinMs / 1000})`
  const probed = sql`
    recursive w as (
      (select ${first} from deliveries d where ${waits} ${order})
      union all
      select n.* from w cross join lateral (select ${first} from deliveries d
        where ${waits} and (d.organization_id, d.subscription_id)
          > (w.organization_id, w.subscription_id) ${order}) n
    )`
  const read = sql`w as (select ${first} from deliveries d
    where ${anywhere('d')} and ${waits} and d.next_attempt_at <= ${within})`
  const { database } = runtime
  return database.reads(allOrganizations).all<Waiting>(sql`
    with ${database.isDistributed ? read : probed}
    select w.organization_id,
      greatest(0, extract(epoch from min(w.next_attempt_at) - ${now}) * 1000)::integer as due_ms,
      coalesce(bool_or(l.owner <> ${owner} and l.leased_until > now()), false) as is_elsewhere
    from w
    join subscriptions s on s.organization_id = w.organization_id and s.id = w.subscription_id
      and s.status = 'active' and ${anywhere('s')} and (s.paused_until is null or s.paused_until <= ${now})
    left join delivery_lanes l on ${anywhere('l')} and l.organization_id = w.organization_id
    where w.next_attempt_at <= ${within}
    group by w.organization_id`)
}
