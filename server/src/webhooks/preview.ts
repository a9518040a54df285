import type { Context } from '../kit/ground/context.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { readable } from '../kit/record/readable.ts'
import type { Runtime } from '../runtime.ts'
import { permitted } from './access.ts'
import { isEventName, recordOf } from './catalogue.ts'
import { cutToChoice } from './choice.ts'
import { cutToReaders } from './cut.ts'
import { bodyOf } from './message.ts'
import type { Claimed, Due } from './queue.ts'

/**
 * The body of a delivery as an attempt would send it now, without what the caller may not see; null
 * if it would not be sent, or the caller may not see the record at all.
 */
export async function bodyShownTo(
  runtime: Runtime,
  ctx: Context,
  delivery_id: string,
): Promise<string | null> {
  const organization = ctx.organization.id
  const found = await ctx.one<{ delivery: Claimed; subscription: Due }>(sql`
    select json_build_object('id', d.id, 'event_id', d.event_id, 'subscription_id', s.id,
        'attempts', d.attempts, 'due_at', d.next_attempt_at, 'organization_id', e.organization_id,
        'type', e.type, 'occurred_at', to_char(e.occurred_at at time zone 'utc',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'source', e.source, 'actor_type', e.actor_type, 'actor_id', e.actor_id,
        'actor_name', e.actor_name, 'reference_id', e.reference_id, 'changes', e.changes::text,
        'data', coalesce(d.data, e.data::text),
        'record_version', case when d.data is null then e.record_version end) as delivery,
      json_build_object('id', s.id, 'url', s.url, 'user_id', s.user_id, 'fields', s.fields,
        'app', json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id,
          'grant_id', g.id),
        'scopes', (select coalesce(json_agg(held.scope), '[]')
          from jsonb_array_elements_text(g.scopes) as held (scope)
          where g.revoked_at is null and a.scopes ? held.scope)) as subscription
    from deliveries d
    join events e on e.organization_id = $organization and e.id = d.event_id
    join subscriptions s on s.organization_id = $organization and s.id = d.subscription_id
    join apps a on a.organization_id = $organization and a.id = s.app_id
    join grants g on g.organization_id = $organization and g.id = s.grant_id
    where d.organization_id = ${organization} and d.id = ${delivery_id} and d.status <> 'dropped'`)
  if (!found) return null
  const { delivery, subscription } = found
  if (delivery.data === null) return null
  const due = new Map([[subscription.id, subscription]])
  const readers = await permitted(runtime, organization, [delivery], due)
  if (!readers.has(delivery.id)) return null
  await cutToReaders([delivery], readers)
  if (subscription.user_id !== ctx.actor.user_id) {
    const { app, scopes } = subscription
    const viewer: Context = { ...ctx, actor: { ...ctx.actor, app: { ...app, scopes } } }
    if (!(await sees(viewer, delivery))) return null
    await cutToReaders([delivery], new Map([[delivery.id, viewer]]))
  }
  cutToChoice(delivery, subscription.fields)
  return bodyOf(delivery)
}

/** Whether the caller may see the record of a delivery, or could if it were not deleted. */
async function sees(viewer: Context, { type, reference_id }: Claimed): Promise<boolean> {
  if (!isEventName(type)) return false
  const { table } = recordOf(type)
  const condition = readable(viewer, table)
  if (!condition) return true
  const found = await viewer.one(sql`select from ${sql.table(table)} t
    where ${mine(viewer)} and t.id = ${reference_id} and ${condition}`)
  return found !== undefined
}
