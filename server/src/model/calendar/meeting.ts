import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import type { AnyRecord, Row } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { attachedIds, mayAll } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Milestone } from '../milestones/milestone.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { createdBy } from '../people/person.ts'
import { sharedAlone } from '../attached/shared.ts'
import {
  boolean,
  key,
  list,
  listOf,
  object,
  objectOf,
  reference,
  stamp,
  text,
  timestamp,
  url,
} from '../../kit/record/fields.ts'

const invited = (isOptional: boolean) => `(select coalesce(jsonb_agg(a ->> 'id'), '[]')
  from jsonb_array_elements(t.attendees) a
  where a ->> 'type' = 'user' and (a ->> 'is_optional')::boolean = ${isOptional})`

const attendee = {
  type: enumeration(['user', 'contact', 'external'], { title: 'AttendeeType' }),
  id: orNull(Type.String({ description: 'of the user or contact' })),
  email: orNull(Type.String()),
  name: orNull(Type.String()),
  is_optional: Type.Boolean(),
  response: enumeration(['needs_action', 'accepted', 'tentative', 'declined'], {
    title: 'AttendeeResponse',
  }),
}

const recurrence = {
  rrule: Type.String({ description: 'an RRULE (RFC 5545), such as FREQ=WEEKLY;BYDAY=MO' }),
  exdates: Type.Array(Type.String(), { description: 'days or times that are left out' }),
}

/** A meeting (specification 2.3, CalendarEvent). */
export const Meeting = record(
  {
    module: 'calendar',
    subject: 'meetings',
    number: 11,
    table: 'meetings',
    word: 'meeting',
    title: 'title',
    page: {
      strip: ['location', 'project'],
      rail: ['start', 'end', 'link', 'milestone_id', 'description'],
    },
    rights: {
      owned: (people) => sql`exists (select from jsonb_array_elements(t.attendees) a
        where a ->> 'type' = 'user' and a ->> 'id' = any(${people}))`,
      attached,
      takesPart,
      shared: sharedAlone,
      visible,
    },
    life: {
      cleared: ['milestone_id'],
      handOver: [{ column: 'created_by', where: sql`t.ends_at >= now()` }],
      loose: [
        ...['attendees', 'invited_late'].flatMap((column) => [
          {
            column,
            to: ['contacts'],
            isJson: true,
            lookUp: (id: unknown) => sql`t.id in (select m.calendar_id from meeting_contacts m
              where m.organization_id = $organization and m.contact_id = ${id})`,
          },
          { column, to: ['users'], isJson: true },
        ]),
        {
          column: 'extended_props',
          to: ['companies'],
          isJson: true,
          lookUp: (id) => sql`t.props_company = ${id}`,
        },
      ],
    },
    find: {
      searchable: true,
    },
    apps: {
      scope: { word: 'meeting', things: 'meetings' },
    },
    events: {
      kinds: {
        meeting_scheduled: {
          on: 'created',
          summary: 'A meeting was scheduled, or takes place after all',
        },
        meeting_updated: { on: 'updated', summary: 'A meeting was updated' },
        meeting_rescheduled: {
          summary: 'A meeting was moved to another time',
          after: { is_meeting_cancelled: false },
          changes: { start: '2026-01-14T09:00:00.000Z', end: '2026-01-14T10:00:00.000Z' },
        },
        meeting_cancelled: {
          on: 'deleted',
          summary: 'A meeting was cancelled or deleted',
          after: { is_meeting_cancelled: true },
          changes: { is_meeting_cancelled: false },
        },
      },
    },
  },
  {
    calendar_id: key(),
    title: text(255, { required: true }),
    class_name: text(100, { isUnshown: true }),
    location: text(1000),
    description: text(),
    start: timestamp({ required: true, column: 'starts_at' }),
    end: timestamp({ required: true, column: 'ends_at' }),
    all_day: boolean({ default: false }),
    users: list(Type.String(), { isUnshown: true, filterable: false, expression: invited(false) }),
    optional_users: list(Type.String(), {
      isUnshown: true,
      filterable: false,
      expression: invited(true),
    }),
    attendees: listOf(attendee, {
      readOnly: true,
      title: 'Attendee',
      isUnshown: true,
      filterable: false,
    }),
    extended_props: object({ default: {} }),
    link: url(),
    repeat: objectOf(recurrence, { readOnly: true, nullable: true, title: 'MeetingRecurrence' }),
    project: reference(
      {
        table: 'projects',
        shows: {
          project_id: { column: 'id', kind: 'text' },
          project_name: { column: 'project_name', kind: 'text' },
        },
        to: (): AnyRecord => ProjectOrDeal,
        by: { project_id: { column: 'id' }, id: { column: 'id' } },
      },
      { column: 'project_id' },
    ),
    milestone_id: reference({
      table: 'milestones',
      shows: null,
      to: (): AnyRecord => Milestone,
      by: { milestone_id: { column: 'id' }, id: { column: 'id' } },
    }),
    is_video_conference: boolean({ default: false }),
    video_conference_type: text(100),
    timezone: object(),
    is_meeting_cancelled: boolean({ default: false }),
    cancel_note: text(2000),
    push_to_calendar_a: boolean({ default: false }),
    push_to_calendar_b: boolean({ default: false }),
    is_private: boolean({ default: false }),
    is_shared: boolean({ default: false }),
    source_ref_id: text(255, { column: 'source_reference', isUnshown: true }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** A meeting as a read shows it. */
export type MeetingRow = Row<typeof Meeting>

/** Somebody invited: a user, a contact, or anybody with an e-mail address. */
export type Attendee = MeetingRow['attendees'][number]

/** A private meeting is visible to its creator, its attendees and administrators. */
function visible({ actor }: Context): Query | undefined {
  if (mayAll(actor, 'roles', 'update')) return undefined
  return sql`(not t.is_private or t.created_by = ${actor.user_id} or ${attends(actor)})`
}

/** Meetings of the projects that a confined caller is attached to. */
function attached(ctx: Context): Query {
  return sql`t.project_id in ${attachedIds(ctx, ProjectOrDeal)}`
}

/** Its creator, and users and contacts who are invited. */
export function takesPart(actor: Actor): Query {
  return partaking(actor, () => sql`true`)
}

/** The same without whom somebody else than the organizer or an administrator invited when it had taken place. */
export function tookPart(actor: Actor): Query {
  return partaking(actor, (id) => sql`not t.invited_late @> to_jsonb(${id}::text)`)
}

function partaking(actor: Actor, when: (id: Query) => Query): Query {
  const me = sql`${actor.user_id}`
  return sql`(t.created_by = ${me} or ${attends(actor)} and ${when(me)}
    or exists (select from meeting_contacts m
      join contacts c on c.organization_id = $organization and c.id = m.contact_id
      where m.organization_id = $organization and m.calendar_id = t.id
        and c.linked_user = ${me} and ${when(sql`c.id`)}))`
}

function attends(actor: Actor): Query {
  const me = JSON.stringify([{ type: 'user', id: actor.user_id }])
  return sql`t.attendees @> ${me}::jsonb`
}
