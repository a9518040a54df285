import type { Query } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Message } from './message.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** A subscription with something to send now, and what its sending needs. */
export type Due = {
  id: string
  url: string
  user_id: string
  app: { id: string; name: string; client_id: string; grant_id: string }
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: string | null
  failing_since: string | null
  /** what the app may still read for the user: granted, not revoked, and the app's own */
  scopes: string[]
}

/** A delivery that is this worker's until its lease ends. */
export type Claimed = Message & {
  subscription_id: string
  event_id: string
  reference_id: string | null
  /** attempts made so far */
  attempts: number
  due_at: string
}

/**
 * How long a claim holds. A living worker renews it every `renewMs`; a killed one's deliveries are
 * free after it, and so are taken over within 15 s with the polling on top. By the database's clock,
 * since processes must agree on it.
 */
export const leaseSeconds = 12
export const renewMs = 4000

/** The organizations that have something to send now: one index probe per active subscription. */
export async function dueOrganizations(runtime: Runtime): Promise<string[]> {
  const rows = await runtime.database.reads(allOrganizations).all<{ organization_id: string }>(sql`
    select distinct s.organization_id from subscriptions s ${somethingDue(runtime)}
    where s.status = 'active'`)
  return rows.map(({ organization_id }) => organization_id)
}

/** The organization's subscriptions that have something to send now. */
export function dueSubscriptions(runtime: Runtime, organization: string): Promise<Due[]> {
  return runtime.database.reads(organization).all<Due>(sql`
    select s.id, s.url, s.user_id,
      json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id, 'grant_id', g.id) as app,
      s.secret, s.previous_secret, s.previous_until, s.failing_since,
      (select coalesce(json_agg(held.scope), '[]')
        from jsonb_array_elements_text(g.scopes) as held (scope)
        where g.revoked_at is null and a.scopes ? held.scope) as scopes
    from subscriptions s
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join grants g on g.organization_id = s.organization_id and g.id = s.grant_id
    ${somethingDue(runtime)}
    where s.organization_id = ${organization} and s.status = 'active'`)
}

/**
 * Takes up to `most` of each subscription's due deliveries, the longest due first. What
 * another worker has in hand is passed over, so no two ever hold the same one.
 */
export function claim(
  runtime: Runtime,
  organization: string,
  shares: { subscription_id: string; most: number }[],
): Promise<Claimed[]> {
  return runtime.database.transaction(organization, (queries) =>
    queries.all<Claimed>(sql`
      with shares as (
        select * from json_to_recordset(${JSON.stringify(shares)})
          as w (subscription_id text, most integer)
      ), picked as (
        select d.id from shares w join lateral (
          select d.id from deliveries d, (select ${organization}::text as organization_id,
            w.subscription_id as id) s
          where ${isDue(runtime)}
          order by d.next_attempt_at limit w.most for update of d skip locked
        ) d on true
      ), claimed as (
        -- an array, because the planner takes it to be short: it would read both tables for a join
        update deliveries d set leased_until = now() + make_interval(secs => ${leaseSeconds})
        where d.organization_id = ${organization} and d.id = any(array(select id from picked))
        returning d.id, d.event_id, d.subscription_id, d.attempts, d.next_attempt_at, d.data
      )
      select c.id, c.event_id, c.subscription_id, c.attempts, c.next_attempt_at as due_at,
        e.organization_id, e.type, e.occurred_at, e.source, e.actor_type, e.actor_id, e.actor_name,
        e.reference_id, e.changes::text as changes, coalesce(c.data, e.data::text) as data,
        case when c.data is null then e.record_version end as record_version
      from claimed c join events e on e.organization_id = ${organization} and e.id = c.event_id`),
  )
}

/** Holds claimed deliveries for longer, while their requests are still running. */
export async function renew(runtime: Runtime, organization: string, ids: string[]): Promise<void> {
  await runtime.database.transaction(organization, (queries) =>
    queries.run(sql`
      update deliveries set leased_until = now() + make_interval(secs => ${leaseSeconds})
      where organization_id = ${organization} and id = any(${ids})
        and status not in ('delivered', 'exhausted', 'dropped')`),
  )
}

/** One probe of the index for each subscription `s`; `exists` may become a join over all that waits. */
function somethingDue(runtime: Runtime): Query {
  return sql`cross join lateral (select from deliveries d where ${isDue(runtime)} limit 1) due`
}

/** A delivery `d` of subscription `s` that waits for its time, which has come, in nobody's hands. */
function isDue(runtime: Runtime): Query {
  return sql`d.organization_id = s.organization_id and d.subscription_id = s.id
    and d.status in ('pending', 'failing') and d.next_attempt_at <= ${runtime.now().toISOString()}
    and (d.leased_until is null or d.leased_until <= now())`
}
