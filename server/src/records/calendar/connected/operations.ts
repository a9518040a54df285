import type { Static } from 'typebox'
import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, badFields, conflict, notFound } from '../../../kit/ground/errors.ts'
import type { Change } from '../../../kit/ground/event.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import type { Input } from '../../../kit/ground/operation.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { announce } from '../../../kit/write/announce.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import type { Connection, Kind, Secret, Tokens } from './connection.ts'
import { connectionColumns, kinds, opened, readings, remoteOf } from './connection.ts'
import { enqueueSync } from './later.ts'
import {
  authorizationUrl,
  begunWith,
  providerKinds,
  providerOf,
  revokeLater,
  tokensFor,
  useState,
} from './oauth.ts'
import { problems, RemoteError } from './remote.ts'

const slot = enumeration(['a', 'b'], {
  title: 'CalendarSlot',
  description: 'which of the two it is, as in `push_to_calendar_a` and `push_to_calendar_b`',
})
const kind = enumeration([...kinds], { title: 'ConnectedCalendarKind' })
const provider = enumeration([...providerKinds], { title: 'CalendarProvider' })
const reads = enumeration([...readings], {
  title: 'ConnectedCalendarReading',
  description: 'what is read of the calendar',
})
const time = Type.String({ format: 'date-time' })
const described = (description: string) => Type.String({ format: 'date-time', description })

const shown = Type.Object(
  {
    connection_id: Type.String({ description: 'the id of the connection' }),
    slot,
    kind,
    address: orNull(Type.String({ description: 'of a CalDAV server' })),
    account: orNull(Type.String({ description: 'the user name or mail address there' })),
    calendars: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          is_writable: Type.Boolean({ description: 'whether meetings can be pushed there' }),
        },
        { title: 'OfferedCalendar' },
      ),
      { description: 'what there is to choose from' },
    ),
    calendar: orNull(Type.String({ description: 'the id of the chosen calendar' })),
    calendar_name: orNull(Type.String({ description: 'the name of the chosen calendar' })),
    reads,
    state: enumeration(['connecting', 'choose', 'connected', 'broken'], {
      title: 'ConnectedCalendarState',
    }),
    last_sync_time: orNull(described('when both sides were last the same')),
    problem: {
      ...orNull(enumeration([...problems], { title: 'ConnectedCalendarProblem' })),
      description: 'why it is broken',
    },
    problem_since: orNull(described('since when')),
    pushed: Type.Integer({ description: 'how many meetings of ours are there' }),
    read: Type.Integer({ description: 'how many meetings were read' }),
    faults: Type.Array(
      Type.Object(
        {
          title: orNull(Type.String({ description: 'of the meeting' })),
          problem: Type.String({ description: 'what is wrong with it' }),
        },
        { title: 'ConnectedCalendarFault' },
      ),
      { description: 'what of the calendar cannot be read or written, and why; the latest 20' },
    ),
    fault_count: Type.Integer({ description: 'how many these are in all' }),
    creation_time: time,
  },
  { title: 'ConnectedCalendar' },
)

const common = {
  topic: 'calendar',
  can: { module: 'calendar', action: 'read' },
  needsSession: true,
} as const
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) })

const connectBody = Type.Object({
  slot,
  address: text(500, 'of the CalDAV server or of one of its calendars'),
  account: text(320, 'the user name'),
  password: text(1000, 'often one for programs only'),
})

/** The calendars that people already have, each their own. */
export const connectedCalendars = {
  list: operation({
    ...common,
    name: 'list_connected_calendars',
    summary: 'List your connected calendars',
    description: 'At most two: `a` and `b`, as the flags of meetings name them.',
    writes: false,
    input: {},
    output: arrayOf(shown),
    run: (ctx) => listOwn(ctx),
  }),
  connect: operation({
    ...common,
    name: 'connect_calendar',
    summary: 'Connect a calendar of a CalDAV server',
    description:
      'Server, user name and password are tried first. A connection that is in this place already is set anew, with what was chosen.',
    writes: true,
    input: { body: connectBody },
    output: shown,
    before: (ctx, { body }) => tryOut(ctx, body),
    async run(ctx, { body: { slot: place, address, account, password } }) {
      const id = await store(ctx, place, { kind: 'caldav', address, account }, { password })
      return only(ctx, id)
    },
  }),
  kinds: operation({
    ...common,
    name: 'list_calendar_kinds',
    summary: 'List what calendars can be connected',
    description: '`google` and `microsoft` where the operator has registered the service there.',
    writes: false,
    input: {},
    output: Type.Array(kind),
    run: async ({ services: { calendarProviders } }) =>
      kinds.filter((each) => each === 'caldav' || calendarProviders[each]),
  }),
  begin: operation({
    ...common,
    name: 'begin_connecting_calendar',
    summary: 'Begin to connect a calendar of Google or Microsoft 365',
    description:
      'Open `authorization_url` in the browser. The provider sends it back to `/settings/calendars` with `code` and `state`, or with `error`.',
    writes: false,
    input: { body: Type.Object({ slot, kind: provider }) },
    output: Type.Object(
      { authorization_url: Type.String({ description: 'where the person gives access' }) },
      { title: 'CalendarConsent' },
    ),
    run: async (ctx, { body }) => ({
      authorization_url: authorizationUrl(ctx, body.kind, body.slot),
    }),
  }),
  finish: operation({
    ...common,
    name: 'finish_connecting_calendar',
    summary: 'Connect a calendar of Google or Microsoft 365',
    description:
      'Takes what the provider sent back, once and within ten minutes, from the person who began. A connection of the same account in this place is set anew, with what was chosen.',
    writes: true,
    input: { body: Type.Object({ code: text(4000), state: text(4000) }) },
    output: shown,
    async before(ctx, { body }) {
      granted.set(body, await grantOnce(ctx, body))
    },
    async run(ctx, { body }) {
      const begun = begunWith(ctx, body.state)
      await useState(ctx, begun)
      const { tokens, account } = granted.get(body) ?? (await grantOf(ctx, body))
      const way = { kind: begun.kind, address: null, account }
      return only(ctx, await store(ctx, begun.slot, way, tokens))
    },
  }),
  update: operation({
    ...common,
    name: 'update_connected_calendar',
    summary: 'Choose the calendar, and what is read of it',
    description:
      '`reads`: `nothing`, `busy` (only the times) or `events`, which become private meetings of yours that change on both sides.',
    writes: true,
    input: {
      params: byId,
      body: Type.Object({
        calendar: Type.Optional(text(2000, 'the id of one of `calendars`')),
        reads: Type.Optional(reads),
      }),
    },
    output: shown,
    run: (ctx, { params, body }) => update(ctx, params.id, body),
  }),
  sync: operation({
    ...common,
    name: 'sync_connected_calendar',
    summary: 'Synchronize a connected calendar now',
    description: 'It begins within seconds; otherwise hourly, and when a meeting changes.',
    writes: true,
    input: { params: byId },
    output: shown,
    async run(ctx, { params }) {
      const { id, user_id, slot: place } = await own(ctx, params.id)
      enqueueSync(ctx, id, user_id)
      await log(ctx, 'synchronized', id, place)
      return only(ctx, id)
    },
  }),
  remove: operation({
    ...common,
    name: 'disconnect_calendar',
    summary: 'Disconnect a calendar',
    description:
      'The password is erased, access at Google given up. What is on either side stays there.',
    writes: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params }) {
      const { id, slot: place } = await own(ctx, params.id)
      await end(ctx, id)
      await log(ctx, 'disconnected', id, place)
    },
  }),
}

/** What a provider has given for each request, fetched before its transaction. */
const granted = new WeakMap<Input['body'], Grant>()

type Grant = { tokens: Tokens; account: string | null }

/** The exchanges under way, so that a request that comes twice at the same moment uses its code once. */
const exchanging = new Map<string, Promise<Grant>>()

function grantOnce(ctx: Context, body: { code: string; state: string }): Promise<Grant> {
  const key = `${body.state} ${body.code}`
  const found = exchanging.get(key)
  if (found) return found
  const exchange = grantOf(ctx, body).finally(() => exchanging.delete(key))
  exchanging.set(key, exchange)
  return exchange
}

/** The tokens for a code, tried by a look at the calendars; what is wrong is a 400 that names the field. */
async function grantOf(
  ctx: Context,
  { code, state }: { code: string; state: string },
): Promise<Grant> {
  const begun = begunWith(ctx, state)
  providerOf(ctx, begun.kind)
  try {
    const tokens = await tokensFor(ctx, begun, code)
    const way = { kind: begun.kind, address: null, account: null, secret: tokens }
    const remote = await remoteOf(ctx, way, async () => {})
    const main = (await remote.calendars()).find(({ is_main }) => is_main)
    return { tokens, account: main?.account ?? null }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.warn({ reason: error.message, kind: begun.kind }, 'a calendar was not connected')
    throw badField(
      'code',
      error.what === 'no_right'
        ? 'must give access to your calendars'
        : error.what === 'unreachable' || error.what === 'throttled'
          ? 'cannot be checked now: the provider does not answer, or answers that it is busy'
          : 'must be what the provider has just given, for the first time',
    )
  }
}

/** Ends a connection: what is known of it is erased, and its access given up. */
async function end(ctx: Context, id: string): Promise<void> {
  const found = await ctx.one<Parameters<typeof opened>[1]>(sql`
    delete from calendar_connections t where ${mine(ctx)} and t.id = ${id}
    returning ${connectionColumns}`)
  if (found) await revokeLater(ctx, opened(ctx, found))
}

/** What cannot be right about a CalDAV server is a 400 that names the field. */
async function tryOut(ctx: Context, body: Static<typeof connectBody>): Promise<void> {
  const { address, account, password } = body
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw badField('address', 'must be an address such as https://dav.example.com/')
  }
  if (new URL(address).username) throw badField('address', 'must not contain a user name')
  // the header in which they are sent knows no others
  for (const [field, value] of Object.entries({ account, password })) {
    if (/\p{Cc}/u.test(value)) throw badField(field, 'must not contain control characters')
  }
  if (account.includes(':')) throw badField('account', 'must not contain a colon')
  try {
    // loaded when a calendar is connected first
    const { caldav } = await import('./caldav.ts')
    await caldav(ctx, { address, account, password }).calendars()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.warn({ reason: error.message }, 'a CalDAV server was refused')
    if (error.what === 'credentials') {
      throw badFields([
        { field: 'account', message: 'is not accepted with this password' },
        { field: 'password', message: 'is not accepted for this user name' },
      ])
    }
    throw badField(
      'address',
      error.what === 'forbidden_address'
        ? 'must be the public https address of a CalDAV server'
        : error.what === 'unreachable' || error.what === 'throttled'
          ? 'cannot be reached now, or answers that it is busy'
          : 'must be the address of a CalDAV server with calendars of this user',
    )
  }
}

/** Stores a new connection, or the new way to one that is there; answers its id. */
export async function store(
  ctx: Context,
  place: 'a' | 'b',
  { kind: to, address, account }: { kind: Kind; address: string | null; account: string | null },
  secret: Secret,
): Promise<string> {
  const { user_id } = ctx.actor
  const now = ctx.now().toISOString()
  const before = await ctx.one<{ id: string; is_same: boolean }>(sql`
    select t.id, t.kind = ${to} and t.address is not distinct from ${address}
      and t.account is not distinct from ${account} as is_same
    from calendar_connections t
    where ${mine(ctx)} and t.user_id = ${user_id} and t.slot = ${place} for update`)
  // another calendar: what is known of the one before says nothing about it
  if (before && !before.is_same) {
    await end(ctx, before.id)
  }
  const sealed = ctx.secrets.encrypt(JSON.stringify(secret))
  const id = before?.is_same ? before.id : newId()
  await ctx.run(sql`
    insert into calendar_connections (organization_id, id, user_id, slot, kind, address, account, secret,
      asked_at, creation_time, last_update_time)
    values (${ctx.organization.id}, ${id}, ${user_id}, ${place}, ${to}, ${address}, ${account},
      ${sealed}, ${now}, ${now}, ${now})
    on conflict (organization_id, id) do update set secret = excluded.secret, error = null,
      error_since = null, failures = 0, wait_until = null, lease_job = null, last_update_time = excluded.last_update_time`)
  await log(ctx, 'connected', id, place, [
    { field: 'kind', from: null, to },
    ...(address ? [{ field: 'address', from: null, to: address }] : []),
  ])
  enqueueSync(ctx, id, user_id ?? '')
  return id
}

type Choice = { calendar?: string; reads?: Connection['reads'] }

async function update(ctx: Context, id: string, body: Choice) {
  const before = await own(ctx, id)
  const { calendar = before.calendar_ref, reads: reading = before.reads } = body
  const chosen = before.calendars.find((each) => each.id === calendar)
  if (body.calendar !== undefined && body.calendar !== before.calendar_ref && !chosen) {
    throw badField('calendar', 'must be the id of one of the calendars')
  }
  const isOther = calendar !== before.calendar_ref
  if (!isOther && reading === before.reads) return only(ctx, id)
  const changes: Change[] = []
  if (isOther) {
    changes.push({
      field: 'calendar',
      from: before.calendars.find((each) => each.id === before.calendar_ref)?.name ?? null,
      to: chosen?.name ?? null,
    })
  }
  if (reading !== before.reads) changes.push({ field: 'reads', from: before.reads, to: reading })
  // of another calendar nothing is known; of the same one what is pushed stays
  await ctx.run(sql`delete from calendar_copies t where ${mine(ctx)} and t.connection_id = ${id}
    and (${isOther} or not t.is_ours)`)
  await ctx.run(sql`update calendar_connections t
    set calendar_ref = ${calendar}, calendar_name = ${chosen?.name ?? before.calendar_name},
      reads = ${reading}, sync_token = null, lease_job = null,
      last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  await log(ctx, 'updated', id, before.slot, changes)
  enqueueSync(ctx, id, before.user_id)
  return only(ctx, id)
}

type Own = Pick<Connection, 'id' | 'user_id' | 'slot' | 'calendars' | 'calendar_ref' | 'reads'> & {
  calendar_name: string | null
}

/** A connection of the caller, locked; 404 for any other. */
async function own(ctx: Context, id: string): Promise<Own> {
  const found = await ctx.one<Own>(sql`
    select t.id, t.user_id, t.slot, t.calendars, t.calendar_ref, t.calendar_name, t.reads
    from calendar_connections t
    where ${mine(ctx)} and t.id = ${id} and t.user_id = ${ctx.actor.user_id} for update`)
  if (!found) throw notFound('Connected calendar')
  return found
}

async function only(ctx: Context, id: string) {
  const [found] = await listOwn(ctx, id)
  if (!found) throw conflict('The calendar was disconnected meanwhile', 'gone')
  return found
}

function listOwn(ctx: Context, id?: string) {
  const counted = (condition: ReturnType<typeof sql>) => sql`(select count(*)::int
    from calendar_copies c where c.organization_id = $organization and c.connection_id = t.id
      and c.calendar_id is not null and c.state = 'live' and c.etag is not null and ${condition})`
  return ctx.all(sql`
    select t.id as connection_id, t.slot, t.kind, t.address, t.account,
      (select coalesce(json_agg(json_build_object('id', c ->> 'id', 'name', c ->> 'name',
        'is_writable', (c ->> 'is_writable')::boolean)), '[]') from jsonb_array_elements(t.calendars) c)
        as calendars,
      t.calendar_ref as calendar, t.calendar_name, t.reads,
      case when t.error is not null then 'broken'
        when t.calendar_ref is null and t.synced_at is null then 'connecting'
        when t.calendar_ref is null then 'choose' else 'connected' end as state,
      t.synced_at as last_sync_time, t.error as problem, t.error_since as problem_since,
      ${counted(sql`c.is_ours`)} as pushed, ${counted(sql`not c.is_ours`)} as read,
      (select coalesce(json_agg(f), '[]') from (
        select case when c.calendar_id is null then c.theirs ->> 'title'
          else (select t.title from meetings t
            where ${scope(ctx, Meeting, 'read')} and t.id = c.calendar_id) end as title, c.problem
        from calendar_copies c
        where c.organization_id = $organization and c.connection_id = t.id and c.problem is not null
        order by c.id desc limit 20) f) as faults,
      (select count(*)::int from calendar_copies c where c.organization_id = $organization
        and c.connection_id = t.id and c.problem is not null) as fault_count,
      t.creation_time
    from calendar_connections t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
      and (${id ?? null}::text is null or t.id = ${id ?? null})
    order by t.slot`)
}

function log(ctx: Context, what: string, id: string, place: string, changes: Change[] = []) {
  const entry = { module: 'calendar', word: 'connected_calendar' }
  const title = `Connected calendar ${place} ${what}`
  return announce(ctx, entry, what, { id, title, name: ctx.actor.full_name, changes })
}
