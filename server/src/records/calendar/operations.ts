import type { Draft } from '../../kit/record/record.ts'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, type Json } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { equal } from '../../kit/write/changes.ts'
import {
  checkReadable,
  insert,
  lock,
  readOne,
  remove,
  update,
  written,
} from '../../kit/write/write.ts'
import { UserProfile } from '../users/user.ts'
import type { Attendee } from './attendees.ts'
import { attendeesOf, attendeesSchema, storeContacts, peopleSchema } from './attendees.ts'
import { mailInvited } from './invitations.ts'
import { Meeting } from './meeting.ts'
import type { Repeat } from './repeat.ts'
import { occurrences, repeatOf, zoneOf } from './repeat.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { NewNotification } from '../../kit/ground/event.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const plain = crud(Meeting)
const most = 1000

const bounds = {
  start: { type: 'string', format: 'date-time', description: 'from here: series are expanded' },
  end: { type: 'string', format: 'date-time', description: 'until here' },
}

export const calendar = {
  ...plain,
  list: {
    ...plain.list,
    input: { query: withProperties(plain.list.input.query!, bounds) },
    async run(ctx: Context, { query }: Input) {
      const { start, end, ...page } = query
      if (!start && !end) {
        const isSorted = page.sort || page.filter_id
        const order = isSorted ? {} : { sort: 'start', reverse: !page.reverse }
        return listPage(ctx, Meeting, { ...page, ...order })
      }
      return expanded(ctx, page, instant(ctx, start, 'start'), instant(ctx, end, 'end'))
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: {
      body: {
        ...withPeople(plain.create.input.body!, { calendar_id: suppliedId }),
        required: ['title', 'start', 'end'],
      },
    },
    async run(ctx: Context, { body }: Input) {
      const { calendar_id: id, users, optional_users, attendees, repeat, ...fields } = zoned(body)
      const times = checkTimes(ctx, fields, fields.timezone)
      Object.assign(fields, times)
      const set: Body = {}
      const people = await attendeesOf(ctx, { users, optional_users, attendees }, [])
      set.attendees = JSON.stringify(people)
      if (repeat !== undefined) {
        const rule = repeatOf(repeat, times.start, zoneOf(ctx, fields.timezone))
        set.repeat = rule && JSON.stringify(rule)
      }
      const made = await insert(ctx, Meeting, fields as Draft<typeof Meeting>, {
        id,
        set,
        along: (key) => storeContacts(ctx, key, people),
        notify: notices(people, `Invited: ${fields.title}`),
      })
      if (people.length) await mailInvited(ctx, 'invited', JSON.parse(await made.json()), 1)
      return written(made)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withPeople(plain.update.input.body!, {}) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { users, optional_users, attendees, repeat, ...fields } = zoned(body)
      const { row } = await lock(ctx, Meeting, params.id, 'update', ifMatch)
      const zone = fields.timezone === undefined ? row.timezone : fields.timezone
      const times = checkTimes(ctx, { ...row, ...fields }, zone)
      if (fields.start !== undefined) fields.start = times.start
      if (fields.end !== undefined) fields.end = times.end
      const set: Body = {}
      const old = row.attendees as Attendee[]
      let people = old
      if (users ?? optional_users ?? attendees) {
        people = await attendeesOf(ctx, { users, optional_users, attendees }, old)
        if (!equal(people, old)) {
          set.attendees = JSON.stringify(people)
          await storeContacts(ctx, params.id, people)
        }
      }
      if (repeat !== undefined) {
        // objects merge one level deep, as everywhere
        const merged = typeof repeat === 'object' && repeat ? { ...row.repeat, ...repeat } : repeat
        const rule = repeatOf(merged, times.start, zoneOf(ctx, zone))
        if (!equal(rule, row.repeat)) {
          set.repeat = rule && JSON.stringify(rule)
        }
      }
      const isCancelled = fields.is_meeting_cancelled === true && !row.is_meeting_cancelled
      const isMoved = times.start !== row.start || times.end !== row.end
      const word = isCancelled ? 'Cancelled' : isMoved ? 'Moved' : undefined
      const told = word ? notices(people, `${word}: ${fields.title ?? row.title}`) : []
      const after = await update(ctx, Meeting, params.id, fields, { set, notify: told })
      if (isCancelled || isMoved) {
        ctx.emit({
          type: isCancelled ? 'meeting_cancelled' : 'meeting_rescheduled',
          title: isCancelled ? 'Meeting cancelled' : 'Meeting rescheduled',
          module_id: Meeting.number,
          reference_id: params.id,
          project_id: row.project?.project_id ?? null,
          changes: isCancelled
            ? [{ field: 'is_meeting_cancelled', from: false, to: true }]
            : (['start', 'end'] as const).flatMap((field) =>
                times[field] === row[field] ? [] : [{ field, from: row[field], to: times[field] }],
              ),
          data: await after.json(),
          version: after.version,
          raw_description: { action: 'updated', module: 'calendar', name: row.title },
        })
      }
      await mailChanged(ctx, row, JSON.parse(await after.json()), after.version, Boolean(word))
      return written(after)
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      const { row, version } = await lock(ctx, Meeting, params.id, 'delete', ifMatch)
      const removed = await remove(ctx, Meeting, params.id)
      const isTold = !row.is_meeting_cancelled && row.end > ctx.now().toISOString()
      if (isTold) await mailInvited(ctx, 'cancelled', row, version + 1)
      return removed
    },
  } satisfies Operation,
  respond: {
    name: 'respond_to_meeting',
    summary: 'Answer an invitation',
    can: { module: 'calendar', action: 'read' },
    writes: true,
    input: {
      params: plain.read.input.params!,
      body: {
        type: 'object',
        properties: { response: { type: 'string', enum: ['accepted', 'tentative', 'declined'] } },
        required: ['response'],
      },
    },
    output: readSchema(Meeting),
    async run(ctx: Context, { params, body }: Input) {
      await checkReadable(ctx, Meeting, params.id)
      const found = await ctx.one<{ attendees: Attendee[]; title: string; mine: string[] }>(sql`
        select t.attendees, t.title, (select coalesce(json_agg(c.id), '[]') from contacts c
          where c.organization_id = t.organization_id and c.linked_user = ${ctx.actor.user_id}) as mine
        from meetings t where ${mine(ctx)} and t.id = ${params.id} for update`)
      const { attendees, title } = found!
      const isMe = ({ type, id }: Attendee) =>
        (type === 'user' && id === ctx.actor.user_id) ||
        (type === 'contact' && found!.mine.includes(id ?? ''))
      const me = attendees.find(isMe)
      if (!me) throw forbidden('You are not invited to this meeting')
      if (me.response !== body.response) {
        const next = attendees.map((each) =>
          isMe(each) ? { ...each, response: body.response } : each,
        )
        await ctx.run(sql`update meetings t set attendees = ${JSON.stringify(next)}::jsonb,
            version = version + 1, last_update_time = ${ctx.now().toISOString()}
          where ${mine(ctx)} and t.id = ${params.id}`)
        ctx.emit({
          type: null,
          title: 'Invitation answered',
          module_id: Meeting.number,
          reference_id: params.id,
          changes: [{ field: 'response', from: me.response, to: body.response }],
          raw_description: { action: 'updated', module: 'calendar', name: title },
        })
      }
      return readOne(ctx, Meeting, params.id)
    },
  } satisfies Operation,
  options: {
    name: 'read_calendar_options',
    summary: 'Zones, types, colours and people for meetings',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {},
    output: {
      type: 'object',
      properties: {
        timezones: { type: 'array', items: { type: 'string' } },
        types: { type: 'array', items: { type: 'object' } },
        colors: { type: 'array', items: { type: 'object' } },
        video_conference_types: { type: 'array', items: { type: 'object' } },
        responses: { type: 'array', items: { type: 'string' } },
        people: { type: 'array', items: { type: 'object' } },
      },
      required: ['timezones', 'types', 'colors', 'people'],
    },
    async run(ctx: Context) {
      const people = await ctx.all(sql`
        select t.id as user_id, t.full_name, t.email, t.profile_image from users t
        where ${scope(ctx, UserProfile, 'read')} and t.is_active
        order by lower(t.full_name), t.id limit 500`)
      return {
        timezones: ['UTC', ...Intl.supportedValuesOf('timeZone')],
        types: ['meeting', 'call', 'kickoff', 'review', 'training', 'other'].map(named),
        colors: ['#3B82F6', '#22C55E', '#F59E0B', '#EF4444', '#8B5CF6', '#64748B'].map(named),
        video_conference_types: ['link', 'phone', 'in_person'].map(named),
        responses: ['accepted', 'tentative', 'declined'],
        people,
      }
    },
  } satisfies Operation,
  bySource: {
    name: 'read_meeting_by_source',
    summary: 'Read the meeting with an external reference',
    can: { module: 'calendar', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: { source_ref_id: { type: 'string', minLength: 1, maxLength: 255 } },
      },
    },
    output: readSchema(Meeting),
    async run(ctx: Context, { query }: Input) {
      if (!query.source_ref_id) throw badField('source_ref_id', 'is required')
      const found = await ctx.one<{ id: string }>(sql`select t.id from meetings t
        where ${scope(ctx, Meeting, 'read')} and t.source_reference = ${query.source_ref_id}`)
      if (!found) throw notFound('Meeting')
      return readOne(ctx, Meeting, found.id)
    },
  } satisfies Operation,
}

/** Who is new is invited, who is out is told so, and the others hear of what moved. */
async function mailChanged(
  ctx: Context,
  before: Body,
  after: Body,
  version: number,
  moved: boolean,
) {
  if (after.is_meeting_cancelled) {
    if (!before.is_meeting_cancelled) await mailInvited(ctx, 'cancelled', after, version)
    return
  }
  const has = ({ attendees }: Body, { email }: Attendee) =>
    (attendees as Attendee[]).some((each) => each.email === email)
  const split = (from: Body, to: Body, isIn: boolean) =>
    (from.attendees as Attendee[]).filter((each) => has(to, each) === isIn)
  await mailInvited(ctx, 'invited', after, version, split(after, before, false))
  await mailInvited(ctx, 'cancelled', before, version, split(before, after, false))
  const isPlaced = ['location', 'link', 'repeat'].every(
    (field) => JSON.stringify(before[field]) === JSON.stringify(after[field]),
  )
  if (moved || !isPlaced) {
    await mailInvited(ctx, 'changed', after, version, split(after, before, true))
  }
}

/** The meetings inside bounds with each occurrence of the series among them, by their start. */
async function expanded(
  ctx: Context,
  page: Body,
  from: string | undefined,
  to: string | undefined,
) {
  const first = from ?? '0001-01-01T00:00:00.000Z'
  const year = 366 * 86_400_000
  const last = to ?? new Date(Date.parse(from!) + year).toISOString()
  if (last < first) throw badField('end', 'must not be before start')
  const { items_per_page = 25, page: number = 1, sort: _, reverse, ...rest } = page
  const read = async (condition: ReturnType<typeof sql>) => {
    const query = { ...rest, items_per_page: most / 2, sort: 'start' }
    const { body } = await listPage(ctx, Meeting, query, condition)
    return JSON.parse((body as Json).text) as Body[]
  }
  const [single, series] = await Promise.all([
    read(sql`t.repeat is null and t.starts_at <= ${last} and t.ends_at >= ${first}`),
    read(sql`t.repeat is not null and t.starts_at <= ${last}`),
  ])
  const many: Body[] = series.flatMap((meeting) => {
    const length = Date.parse(meeting.end) - Date.parse(meeting.start)
    const zone = zoneOf(ctx, meeting.timezone)
    const inside = { from: first, to: last }
    return occurrences(meeting as { repeat: Repeat; start: string }, zone, inside, most).map(
      (start) => ({
        ...meeting,
        start,
        end: new Date(Date.parse(start) + length).toISOString(),
        series_start: meeting.start,
      }),
    )
  })
  const all: Body[] = [...single, ...many].sort(
    (a, b) => a.start.localeCompare(b.start) || a.calendar_id.localeCompare(b.calendar_id),
  )
  if (reverse) all.reverse()
  const skip = (number - 1) * items_per_page
  const shown = all.slice(skip, skip + items_per_page)
  const more = all.length > skip + items_per_page
  return new Answer(shown, { page: { number, size: items_per_page, more } })
}

function instant(
  ctx: Context,
  given: string | undefined,
  field: string,
  timezone = ctx.organization.timezone,
): string | undefined {
  if (given === undefined) return undefined
  const day = /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00` : given
  const found = parseInstant(day, timezone)
  if (!found) throw badField(field, 'must be a date and time in ISO 8601')
  return found
}

/** A body whose zone, where it is given as a text, is an object as in reads. */
function zoned(body: Body): Body {
  const { timezone } = body
  if (typeof timezone !== 'string') return body
  return { ...body, timezone: timezone.trim() ? { name: timezone.trim() } : null }
}

/** Start and end as instants; without an offset they are of the meeting's own zone. */
function checkTimes(
  ctx: Context,
  { start, end }: Body,
  timezone: unknown,
): { start: string; end: string } {
  const zone = zoneOf(ctx, timezone)
  const times = { start: instant(ctx, start, 'start', zone)!, end: instant(ctx, end, 'end', zone)! }
  if (times.end < times.start) throw badField('end', 'must not be before start')
  return times
}

function notices(people: Attendee[], title: string): NewNotification[] {
  return people
    .filter(({ type }) => type === 'user')
    .map(({ id }) => ({ user_id: id!, notification_type: 8, title: title.slice(0, 255) }))
}

function named(value: string) {
  return { value, label: value[0]!.toUpperCase() + value.slice(1).replaceAll('_', ' ') }
}

function withPeople(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return withProperties(schema, {
    ...more,
    users: peopleSchema,
    optional_users: peopleSchema,
    attendees: attendeesSchema,
    repeat: { anyOf: [{ type: ['string', 'null'], maxLength: 1000 }, { type: 'object' }] },
    timezone: {
      anyOf: [{ type: ['string', 'null'], maxLength: 100 }, { type: 'object' }],
      description: 'an IANA zone, or an object with it as its name',
    },
  })
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}
