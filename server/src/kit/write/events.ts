import type { Context, Query } from '../ground/context.ts'
import { newId } from '../ground/ids.ts'
import { mine, sql } from '../ground/sql.ts'
import type { NewEvent, NewNotification, Emit, EmitMany } from '../ground/event.ts'
import { fanOutJob, notificationMailJob, notificationTypes, usualMail } from '../ground/event.ts'
import { eventsOfProjects } from '../record/registry.ts'

/** What an emitter does beside its statement; nothing, and with new ids, unless it says so. */
export type Emitting = {
  /** called after the commit with the number of deliveries that were created, if there are any */
  wake?: (deliveries: number) => void
  /** deliveries are due `delayMs` after this time, and mails at it; it is the database's own */
  from?: Query
  delayMs?: number
  /** called when somebody was notified, who may be mailed */
  wakeJobs?: () => void
  /** logs are in the order of these */
  eventId?: () => string
}

const nothing = () => {}
/** More subscriptions than this get their deliveries from a job, and a write creates no more deliveries than that. */
const mostSubscriptions = 50
const mostDeliveries = 5000

/**
 * The statements behind `ctx.emitMany`, and behind `ctx.emit` for one event. The event's row is the activity-log entry
 * too, and each matching subscription gets its delivery row here, so that a crash at any point loses neither. Where
 * there are many, a job is enqueued instead, which is as safe (`fanOutJob`).
 */
export function emitter(
  ctx: Context,
  { wake = nothing, from, delayMs = 0, wakeJobs = nothing, eventId = newId }: Emitting,
): { emit: Emit; emitMany: EmitMany } {
  const written = () => ctx.services.streams.written(ctx.organization.id)
  const emitMany: EmitMany = (happenings) => {
    if (!happenings.length) return []
    ctx.afterCommit(written)
    const { actor } = ctx
    const now = ctx.now().toISOString()
    const rows = happenings.map((each) => ({ ...each, id: eventId() }))
    for (const { id, notify, ...each } of rows)
      if (notify?.length) notifyUsers(ctx, id, each, notify, { wakeJobs, from })
    const awaited = rows.filter(({ type, isQuiet }) => type !== null && !isQuiet)
    const types = [...new Set(awaited.map(({ type }) => type))]
    const active = sql`from subscriptions s
      where ${mine(ctx, 's')} and s.status = 'active' and s.events && ${types}::text[]`
    const event = sql`
      insert into events (organization_id, id, type, title, module_id, reference_id, project_id,
        actor_type, actor_id, actor_name, source, raw_description, description, html_description,
        changes, data, record_version, occurred_at, log_id)
      select o.organization_id, h.id, h.type, h.title, h.module_id, h.reference_id,
        h.project_id, ${actor.app ? 'app' : actor.type}, ${actor.user_id}, ${actor.full_name},
        ${ctx.source}, h.raw_description, h.description, h.html_description, h.changes,
        case when h.data is not null and exists (select ${active} and ${awaits('h')}) then h.data end,
        h.version, ${now}, h.log_id
      from organizations o, ${rowsOf(rows, eventColumns)}
      where ${mine(ctx, 'o')}`
    // locked as the foreign key would, except that a subscription removed meanwhile is skipped instead
    // of failing the write
    const tables = sql`
      found as materialized (
        select s.organization_id, s.id, s.events, s.project_id ${active}
        limit ${mostSubscriptions + 1} for key share
      ), rows as materialized (
        select s.organization_id, s.id, h.id as event_id from found s
        join ${rowsOf(awaited, awaitedColumns)} on ${awaits('h')}
        limit ${mostDeliveries + 1}
      ), many as (
        select (select count(*) from found) > ${mostSubscriptions}
          or (select count(*) from rows) > ${mostDeliveries} as is_so
      )`
    const beside = fanOut(ctx, { events: awaited.map(({ id }) => id), from, delayMs })
    // there is no conflict; without its clause Citus copies the rows, which row-level security forbids
    const main = sql`
      insert into deliveries
        (organization_id, id, event_id, subscription_id, next_attempt_at, creation_time)
      select s.organization_id, ${deliveryId(sql`s.event_id`, sql`s.id`)}, s.event_id, s.id,
        ${due(from, delayMs)}, ${now}
      from rows s, many m where not m.is_so
      on conflict do nothing`
    const hasData = rows.some(({ data }) => data)
    ctx.laterTogether(event, { tables, main, beside }, (made) => {
      if (made) ctx.afterCommit(() => wake(made))
      else if (hasData) ctx.afterCommit(wakeJobs)
    })
    return rows.map(({ id }) => id)
  }
  return { emitMany, emit: (happening) => emitMany([happening])[0]! }
}

/** What of an event its statement reads, with the types of the columns. */
const eventColumns = {
  id: 'text',
  type: 'text',
  title: 'text',
  module_id: 'integer',
  reference_id: 'text',
  project_id: 'text',
  raw_description: 'json',
  description: 'text',
  html_description: 'text',
  changes: 'json',
  data: 'json',
  version: 'integer',
  log_id: 'text',
} as const
const awaitedColumns = { id: 'text', type: 'text', project_id: 'text' } as const

/** Events as rows `h` of a `from`: one by its values, which costs least, and several out of one parameter. */
function rowsOf(
  events: (NewEvent & { id: string })[],
  columns: Partial<typeof eventColumns>,
): Query {
  const names = Object.keys(columns) as (keyof typeof eventColumns)[]
  const [one, other] = events
  if (one && !other) {
    const values = names.map((name) => {
      const value = one[name] ?? null
      const isJson = columns[name] === 'json' && typeof value === 'object' && value !== null
      return sql`${isJson ? JSON.stringify(value) : value}::${sql.raw(columns[name] ?? '')} as ${sql.ref(name)}`
    })
    return sql`(select ${sql.join(values)}) h`
  }
  // data is JSON text already
  const texts = events.map((each) => {
    const named = names.map((name) => [name, name === 'data' ? undefined : each[name]])
    const text = JSON.stringify(Object.fromEntries(named))
    return 'data' in columns ? `${text.slice(0, -1)},"data":${each.data ?? 'null'}}` : text
  })
  const types = sql.raw(names.map((name) => `${name} ${columns[name]}`).join(', '))
  return sql`json_to_recordset(${`[${texts.join()}]`}::json) as h (${types})`
}

/** SQL over a subscription `s`: whether it awaits an event, by the columns `type` and `project_id` of a relation. */
export function awaits(event: string): Query {
  const e = sql.raw(event)
  return sql`${e}.type = any(s.events) and (s.project_id is null
    or ${e}.type <> all(${eventsOfProjects()}::text[]) or s.project_id = ${e}.project_id)`
}

/** The id of the delivery of an event to a subscription, which is the same however often it is created. */
export function deliveryId(event: Query, subscription: Query): Query {
  return sql`left(${event}, 12) || substr(md5(${event} || ${subscription}), 1, 13)`
}

/** Enqueues the job that creates the deliveries, where `many` says so. */
function fanOut(
  ctx: Context,
  { events, from, delayMs }: { events: string[]; from: Query | undefined; delayMs: number },
): Query {
  const start = from ?? sql`now()`
  return sql`insert into asked_jobs
      (organization_id, id, name, data, source, run_at, creation_time)
    select o.organization_id, ${newId()}, ${fanOutJob.name},
      json_build_object('events', ${JSON.stringify(events)}::json, 'due', ${due(from, delayMs)}),
      ${ctx.source}, ${start}, ${ctx.now().toISOString()}
    from organizations o, many m where ${mine(ctx, 'o')} and m.is_so`
}

function due(from = sql`now()`, delayMs: number): Query {
  return delayMs ? sql`${from} + make_interval(secs => ${delayMs / 1000})` : from
}

/**
 * Stores the notifications of an event, and wakes the streams of their users after the commit: one for
 * each living user and type, none for the actor unless it says so.
 */
function notifyUsers(
  ctx: Context,
  event_id: string,
  { module_id, reference_id }: Pick<NewEvent, 'module_id' | 'reference_id'>,
  notify: NewNotification[],
  { wakeJobs, from = sql`now()` }: { wakeJobs: () => void; from: Query | undefined },
): void {
  const now = ctx.now().toISOString()
  const rows = notify
    .filter(({ user_id, isForActor }) => isForActor || user_id !== ctx.actor.user_id)
    .map(({ notification_obj, isMailed = false, ...notice }) => ({
      ...notice,
      id: newId(),
      is_mailed: isMailed,
      category: notificationTypes[notice.notification_type],
      notification_obj: { module_id, reference_id, ...notification_obj },
    }))
  const insertion = sql`insert into notifications (organization_id, id, user_id, notification_type, title,
      description, notification_obj, category, is_system, event_id, created_by, notify_time,
      mailed_at, creation_time, last_update_time)
    select u.organization_id, n.id, n.user_id, n.notification_type, n.title, n.description,
      n.notification_obj, n.category, n.notification_type = 9, ${event_id}, ${ctx.actor.user_id},
      ${now}, case when n.is_mailed then ${now}::timestamptz end, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(rows)}) as n (id text, user_id text,
      notification_type smallint, title text, description text, notification_obj jsonb,
      category text, is_mailed boolean)
    join users u on ${mine(ctx, 'u')} and u.id = n.user_id
      and u.is_active and u.deleted_at is null
    where not exists (select from notification_preferences p
      where ${mine(ctx, 'p')} and p.user_id = u.id and p.category = n.category
        and not p.in_app)
    on conflict do nothing`
  ctx.later(insertion, (made) => {
    if (!made) return
    ctx.afterCommit(wakeJobs)
    const users = [...new Set(rows.map(({ user_id }) => user_id))]
    ctx.afterCommit(() => ctx.services.streams.notified(ctx.organization.id, users))
  })
  const unmailed = rows.flatMap(({ id, is_mailed }) => (is_mailed ? [] : [id]))
  if (!unmailed.length) return
  ctx.later(sql`
    insert into asked_jobs (organization_id, id, name, data, source, run_at, creation_time)
    select m.organization_id, m.id, ${notificationMailJob.name},
      json_build_object('notification_id', m.id), ${ctx.source}, ${from}, ${now}
    from notifications m join users r on ${mine(ctx, 'r')} and r.id = m.user_id and not r.is_demo_data
    where ${mine(ctx, 'm')} and m.id = any(${unmailed})
      and ${mailing(sql`m.user_id`, sql`m.category`)} = 'immediately'
    on conflict do nothing`)
}

/**
 * When a user is mailed about a category, as SQL: `immediately`, `daily` or `off`. What they chose, else
 * what the organization chose, else what is usual.
 */
export function mailing(user: Query, category: Query): Query {
  const usual = JSON.stringify(usualMail)
  return sql`coalesce(
    (select p.email from notification_preferences p where p.organization_id = $organization
      and p.user_id = ${user} and p.category = ${category}),
    (select nullif(d.delivery, 'immediately') from mail_defaults d
      where d.organization_id = $organization),
    ${usual}::json ->> ${category}, 'daily')`
}

/**
 * Whether somebody subscribed to the event, as far as this process knows; a subscription made in
 * this very moment elsewhere still gets its delivery, whose data is then read when it is sent.
 */
export async function hasSubscribers(ctx: Context, type: string): Promise<boolean> {
  const types = await ctx.cached('subscribed events', async (committed) => {
    const rows = await committed.all<{ type: string }>(sql`
      select distinct unnest(events) as type from subscriptions t
      where ${mine(ctx)} and status = 'active'`)
    return new Set(rows.map((row) => row.type))
  })
  return types.has(type)
}
