import type { Context } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { list, text } from '../../../kit/record/fields.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import { scope } from '../../../kit/record/scope.ts'
import { recordMeeting } from '../../calendar/activity.ts'
import { announceHappening, happeningOf } from '../../calendar/announce.ts'
import { createMeeting } from '../../calendar/create.ts'
import type { MeetingChanges, NewMeeting } from '../../calendar/input.ts'
import { timesOf, updateBody } from '../../calendar/input.ts'
import type { Attendee, MeetingRow } from '../../../model/calendar/meeting.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import { removeMeeting } from '../../calendar/remove.ts'
import { updateMeeting } from '../../calendar/update.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { nameablePeople } from '../../../model/people/person.ts'
import { partColumn } from '../columns.ts'
import { fittingRows } from '../fitting.ts'
import { lowered } from '../importable.ts'
import type { Body, ExportColumn, SingleImportable } from '../importable.ts'
import { addressOf } from '../../../model/sheets/email.ts'
import { descriptionWords, nameWords, privateWords } from '../../../model/sheets/header.ts'
import { projectByName } from './links.ts'

export const importMeetings: SingleImportable = {
  how: 'single',
  record: Meeting,
  schema: { ...updateBody, required: [] },
  more: {
    attendees: list(),
    optional_attendees: list(),
    responses: list(),
    repeat: text(1000),
    exdates: list(),
    timezone: text(100),
  },
  links: { project: projectByName },
  without: ['users', 'optional_users'],
  keys: ['start', 'end'],
  prepare: ({ exdates, responses, ...body }) => ({
    ...body,
    // days that are left out belong to a rule
    ...(exdates && body.repeat ? { repeat: { rrule: body.repeat, exdates } } : {}),
    ...(body.attendees ? { attendees: entries(body.attendees, false, responses) } : {}),
    ...(body.optional_attendees
      ? { optional_attendees: entries(body.optional_attendees, true, responses) }
      : {}),
  }),
  names: () => [],
  fitting(ctx, bodies, mapped) {
    const rows = bodies.map((body) => {
      const { source_ref_id: number = null } = body
      const { start: starts = null, end: ends = null } = instantsOf(ctx, body) ?? {}
      return { number, name: lowered(body.title), starts, ends }
    })
    return fittingRows(ctx, Meeting, {
      rows,
      columns: 'number text, name text, starts timestamptz, ends timestamptz',
      text: sql`concat_ws(', ', t.title,
        to_char(t.starts_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD HH24:MI'))`,
      number: mapped.has('source_ref_id') ? sql.ref('t.source_reference') : undefined,
      named: sql`lower(t.title) = w.name and t.starts_at = w.starts and t.ends_at = w.ends
        and (w.number is null or t.source_reference is null)`,
      says: [],
    })
  },
  async create(ctx, body) {
    const meeting = await invited(ctx, body, [])
    checkBody(updateBody, meeting)
    return createMeeting(ctx, meeting as unknown as NewMeeting)
  },
  async update(ctx, id, body) {
    const found = await ctx.one<{ attendees: Attendee[] }>(
      sql`select t.attendees from meetings t where ${mine(ctx)} and t.id = ${id}`,
    )
    return updateMeeting(
      ctx,
      id,
      (await invited(ctx, body, found?.attendees ?? [])) as MeetingChanges,
    )
  },
  remove: (ctx, id) => removeMeeting(ctx, id),
  async afterUndo(ctx, written, before) {
    const after = JSON.parse(await written.whole()) as MeetingRow
    const happening = happeningOf(before as MeetingRow, after)
    if (happening) {
      await announceHappening(ctx, happening, written, before as MeetingRow, after)
    }
    recordMeeting(ctx, after, false)
  },
  columns: [
    partColumn('repeat', 'repeat', 'rrule'),
    partColumn('exdates', 'repeat', 'exdates'),
    partColumn('timezone', 'timezone', 'name'),
    people('attendees', false),
    people('optional_attendees', true),
  ],
  headers: {
    title: `meeting|meeting name|meeting title|besprechung|termin|terminname|réunion|rendez-vous|reunión|cita|riunione|appuntamento|reunião|compromisso|vergadering|afspraak|event|event name|${nameWords}`,
    start:
      'start|starts|start time|start date|start date time|from|beginn|anfang|beginnt am|startzeit|von|début|date de début|de|inicio|comienzo|fecha de inicio|inizio|data inizio|dal|início|data de início|aanvang|begin|starttijd|date|datum',
    end: 'end|ends|end time|end date|end date time|to|until|ende|endet am|endzeit|bis|fin|date de fin|à|fecha de fin|termina|fine|data fine|al|fim|término|data de término|einde|eindtijd|tot',
    location:
      'location|place|ort|raum|veranstaltungsort|lieu|lugar|ubicación|luogo|local|locatie|plaats|room',
    description: `${descriptionWords}|agenda|tagesordnung|ordre du jour`,
    attendees:
      'attendees|participants|guests|invitees|required attendees|teilnehmer|teilnehmende|gäste|eingeladene|invités|asistentes|participantes|invitados|partecipanti|invitati|convidados|deelnemers|genodigden',
    optional_attendees:
      'optional attendees|optionale teilnehmer|participants facultatifs|asistentes opcionales|partecipanti facoltativi|participantes opcionais|optionele deelnemers',
    all_day:
      'all day|all day event|ganztägig|journée entière|todo el día|tutto il giorno|dia inteiro|hele dag',
    link: 'link|meeting link|url|besprechungslink|lien|enlace|collegamento|ligação|video link',
    timezone:
      'time zone|timezone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horário|tijdzone',
    repeat:
      'repeat|recurrence|rrule|wiederholung|récurrence|recurrencia|ricorrenza|recorrência|herhaling',
    exdates: 'exdates|exdate|excluded dates|ausgenommene termine',
    'project.project_name':
      'project|project name|projekt|projektname|projet|proyecto|progetto|projeto|projectnaam',
    is_private: privateWords,
    is_video_conference:
      'video|video conference|videokonferenz|visioconférence|videoconferencia|videoconferenza|videoconferência|videovergadering',
    source_ref_id: 'external id|uid|event id|termin-id|ical uid',
  },
}

/** When a meeting is; undefined for times that the row is refused for. */
function instantsOf(ctx: Context, body: Body) {
  const { start, end } = body
  if (typeof start !== 'string' || typeof end !== 'string') return undefined
  try {
    return timesOf(ctx, { start, end }, zoneOf(body))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function zoneOf({ timezone }: Body): { name: string } | null {
  return typeof timezone === 'string' && timezone.trim() ? { name: timezone.trim() } : null
}

/** The meeting with its attendees, which are e-mails in the row, as the users and contacts with these addresses. */
async function invited(
  ctx: Context,
  { attendees, optional_attendees, ...meeting }: Body,
  before: Attendee[],
): Promise<Body> {
  if (!Array.isArray(attendees) && !Array.isArray(optional_attendees)) return meeting
  const named = [
    ...((attendees ?? []) as Entry[]),
    ...((optional_attendees ?? []) as Entry[]),
    ...before.filter(
      ({ is_optional }) => !Array.isArray(is_optional ? optional_attendees : attendees),
    ),
  ]
  // existing attendees keep their order, so that an unchanged list is no change
  const placeOf = ({ email }: { email: string | null }) =>
    before.findIndex((one) => one.email?.toLowerCase() === email?.toLowerCase()) >>> 0
  named.sort((a, b) => placeOf(a) - placeOf(b))
  const emails = named.map(({ email }) => email?.toLowerCase() ?? '')
  const known = await ctx.all<{ id: string; email: string; type: 'user' | 'contact' }>(sql`
    select t.id, t.email_key as email, 'user' as type from users t
    where ${all(mine(ctx), nameablePeople(ctx))} and t.deleted_at is null
      and t.email_key = any(${emails})
    union all
    select t.id, t.primary_email_key, 'contact' from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = any(${emails})`)
  const list = named.map((each) => {
    const email = each.email?.toLowerCase()
    const old = before.find((one) => one.email?.toLowerCase() === email)
    const response = each.response ?? old?.response
    if (old) return { ...old, is_optional: each.is_optional, response }
    const found =
      known.find((one) => one.email === email && one.type === 'user') ??
      known.find((one) => one.email === email)
    return found
      ? { type: found.type, id: found.id, is_optional: each.is_optional, response }
      : { ...each, type: 'external' }
  })
  return { ...meeting, attendees: list }
}

type Entry = Pick<Attendee, 'name' | 'is_optional'> & {
  email: string
  response: Attendee['response'] | undefined
}

/** The people of a cell, with what the file says of their answers (`ada@example.com accepted`). */
function entries(cell: unknown, is_optional: boolean, responses: unknown): Entry[] {
  const answers = new Map(
    texts(responses).map((each): [string, string] => {
      const [email = '', answer = ''] = each.toLowerCase().split(' ')
      return [email, answer]
    }),
  )
  return texts(cell).map((each) => {
    const { email, name } = addressOf(each)
    const answer = answers.get(email.toLowerCase())
    const response = responseWords.find((word) => word === answer)
    return { email, name: name ?? null, is_optional, response }
  })
}

const responseWords = ['accepted', 'tentative', 'declined'] as const

function texts(cell: unknown): string[] {
  return Array.isArray(cell) ? (cell as unknown[]).map(String) : []
}

function people(name: string, isOptional: boolean): ExportColumn {
  const written = ({ email, name: full }: Attendee) =>
    full && email && !/[;,<>"]/.test(full) ? `${full} <${email}>` : (email ?? '')
  return {
    name,
    field: 'attendees',
    text: (row) =>
      cellOf(
        (row.attendees as Attendee[])
          .filter(({ is_optional, email }) => is_optional === isOptional && email)
          .map(written),
      ),
  }
}
