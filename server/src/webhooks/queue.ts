import { databaseNow } from '../kit/ground/clock.ts'
import type { Queries } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Message } from './message.ts'

/** A subscription with deliveries to send now, and what sending them needs. */
export type Due = {
  id: string
  url: string
  user_id: string
  app: { id: string; name: string; client_id: string; grant_id: string }
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: string | null
  /** attempts that failed since the last success */
  failures: number
  /** the conditions and fields that it has chosen; null for all */
  conditions: unknown[] | null
  fields: string[] | null
  /** the scopes that the app still has for the user: granted, not revoked, and assigned to the app */
  scopes: string[]
}

/** A delivery that this process sends, since it holds the organization's lane. */
export type Claimed = Message & {
  subscription_id: string
  event_id: string
  reference_id: string | null
  /** attempts made so far */
  attempts: number
  /** for how long it had been due when it was read */
  late_ms: number
}

/** The share of a claim for a subscription, if it is not the usual one. */
export type Share = { id: string; most: number }

/** The number of failures in a row after which sending pauses, and then continues one at a time. */
export const mostFailures = 10

/** What to read: up to `most` in total and `each` per subscription, except what is in progress. */
export type Wanted = { most: number; each: number; shares: Share[]; held: string[] }

/**
 * The due deliveries of an organization, the longest due of each subscription first, and their
 * subscriptions, in two statements one after the other: a connection is left to other organizations. Walks over the subscriptions for which something waits by the index, and reads a few
 * of each, so that one receiver's backlog does not hide those of another. The same statements run on a
 * connection for reads, or in the transaction that leases the lane to `owner`, who must then hold it.
 */
export async function readDue(
  queries: Pick<Queries, 'all'>,
  runtime: Runtime,
  organization: string,
  { most, each, shares, held }: Wanted,
  owner?: string,
): Promise<{ claimed: Claimed[]; due: Map<string, Due> }> {
  const now = databaseNow(runtime)
  const waits = sql`d.organization_id = ${organization} and d.status in ('pending', 'failing')`
  const isOurs = owner
    ? sql`exists (select from delivery_lanes l where l.organization_id = ${organization}
        and l.owner = ${owner} and l.leased_until > now())`
    : sql`true`
  const picked = sql`
    waiting (id) as (
      (select d.subscription_id from deliveries d where ${waits}
        order by d.subscription_id limit 1)
      union all
      select (select d.subscription_id from deliveries d
        where ${waits} and d.subscription_id > w.id order by d.subscription_id limit 1)
      from waiting w where w.id is not null
    ), shares as materialized (
      select * from json_to_recordset(${JSON.stringify(shares)}) as h (id text, most integer)
    ), open as materialized (
      select s.id, least(coalesce(h.most, ${each}::integer),
        case when s.failures < ${mostFailures} then ${each}::integer else 1 end) as most
      from waiting w
      join subscriptions s on s.organization_id = ${organization} and s.id = w.id
      left join shares h on h.id = s.id
      where s.status = 'active' and ${isOurs} and coalesce(h.most, ${each}::integer) > 0
        and (s.paused_until is null or s.paused_until <= ${now})
    ), picked as materialized (
      select d.id, d.nth from open o cross join lateral (
        select d.id, row_number() over () as nth from (
          select d.id from deliveries d where ${waits} and d.subscription_id = o.id
            and d.next_attempt_at <= ${now}
            -- hashed: a plan without values compares an array with each row in turn, a third of a claim's time
            and d.id not in (select unnest(${held}::text[]))
          order by d.next_attempt_at limit o.most
        ) d
      ) d order by d.nth limit ${most}
    )`
  const claimed = await queries.all<Claimed>(sql`
    with recursive ${picked}
    select d.id, d.event_id, d.subscription_id, d.attempts,
      (extract(epoch from ${now} - d.next_attempt_at) * 1000)::integer as late_ms,
      e.organization_id, e.type, e.occurred_at, e.source, e.actor_type, e.actor_id, e.actor_name,
      e.reference_id, e.changes::text as changes, coalesce(d.data, e.data::text) as data,
      case when d.data is null then e.record_version end as record_version
    -- each by its key, in this order: where the planner does not know how many there are, a join reads all events of the
    -- organization, and all deliveries of each
    from picked p
    cross join lateral (select * from deliveries x
      where x.organization_id = ${organization} and x.id = p.id limit 1) d
    cross join lateral (select * from events x
      where x.organization_id = ${organization} and x.id = d.event_id limit 1) e
    order by d.next_attempt_at`)
  const ids = [...new Set(claimed.map((each) => each.subscription_id))]
  if (!ids.length) return { claimed, due: new Map() }
  // the scopes once for each app and grant, however many subscriptions these have
  const subscriptions = await queries.all<Due>(sql`
    with those as materialized (
      select s.id, s.url, s.user_id, s.app_id, s.grant_id, s.secret, s.previous_secret,
        s.previous_until, s.failures, s.conditions, s.fields
      from subscriptions s where s.organization_id = ${organization} and s.id = any(${ids})
        and s.status = 'active'
    ), callers as materialized (
      select a.id as app_id, g.id as grant_id,
        json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id, 'grant_id', g.id)
          as app,
        (select coalesce(json_agg(held.scope), '[]')
          from jsonb_array_elements_text(g.scopes) as held (scope)
          where g.revoked_at is null and a.scopes ? held.scope) as scopes
      from (select distinct t.app_id, t.grant_id from those t) c
      join apps a on a.organization_id = $organization and a.id = c.app_id
      join grants g on g.organization_id = $organization and g.id = c.grant_id
    )
    select t.id, t.url, t.user_id, c.app, t.secret, t.previous_secret, t.previous_until, t.failures,
      t.conditions, t.fields, c.scopes
    from those t join callers c on c.app_id = t.app_id and c.grant_id = t.grant_id`)
  return { claimed, due: new Map(subscriptions.map((each) => [each.id, each])) }
}
