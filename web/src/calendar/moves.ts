import { asProblem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import type { CalendarMeeting } from '../data/calendar.ts'
import { meetingsPlace } from '../data/calendar.ts'
import { refreshRecord } from '../data/cached.ts'
import type { Values } from '../data/change.ts'
import {
  changeRecord,
  conflictOf,
  createRecord,
  notifyRefusal,
  rememberOwnChange,
  sendIfUnchanged,
} from '../data/change.ts'
import { perform } from '../data/history.ts'
import type { AnyRecord } from '../data/record.ts'
import { pathOf } from '../data/record.ts'
import { sessionNow } from '../data/session.ts'
import type { Moved, Repeat } from './series.ts'
import { countOf, dateOf, parted, shifted, withAnswers } from './series.ts'
import { lengthOf } from './shift.ts'
import { t } from '../locales/text.ts'

/** Which occurrences of a series a change is for. */
export type Scope = 'one' | 'later' | 'all'

/** The acts in the calendar, which are undone in their order. */
export const calendarHistory = 'calendar'

type Move = Moved & { meeting: CalendarMeeting; scope: Scope; message: string }
type Attendees = CalendarMeeting['attendees']

/** Moves a meeting, or one, some or all of a series, as an act that can be undone. Throws the `Problem`. */
export async function moveMeeting(move: Move): Promise<void> {
  const { meeting, scope, message } = move
  const { series_start } = meeting
  await perform(calendarHistory, async () => {
    if (series_start && needsCopy(meeting, scope)) return { message, undo: await split(move) }
    const before = series_start
      ? { start: series_start, end: endOf(meeting), repeat: meeting.repeat }
      : { start: meeting.start, end: meeting.end }
    await put(meeting, series_start ? shifted(move) : { ...move.times })
    return { message, undo: () => takeBack(meeting, () => before) }
  })
}

/** Whether a change makes a meeting of its own out of a part of a series. */
export function needsCopy({ series_start, start }: CalendarMeeting, scope: Scope): boolean {
  return scope === 'one' || (scope === 'later' && series_start !== start)
}

/** The end of the first meeting of a series. */
function endOf(meeting: CalendarMeeting): string {
  return new Date(
    Date.parse(meeting.series_start ?? meeting.start) + lengthOf(meeting),
  ).toISOString()
}

/** Takes one meeting, or all from it on, out of its series, as a meeting of its own; returns what takes it back. */
async function split(move: Move): Promise<() => Promise<void>> {
  const { meeting, times, scope, zone } = move
  const { calendar_id: id } = meeting
  const whole = await read(id)
  const repeat = repeatOf(whole)
  const date = dateOf(repeat, meeting.start, zone)
  const { rest, own } =
    scope === 'one'
      ? { rest: undefined, own: null }
      : parted(repeat, move, await countBefore(meeting, repeat))
  const made = await createRecord(
    meetingsPlace,
    { ...copyOf(whole), ...times, ...(own ? { repeat: own } : {}) },
    crypto.randomUUID(),
  )
  const drop = () => request('DELETE', pathOf(meetingsPlace, made)).then(() => undefined)
  try {
    const left = (now: AnyRecord) => ({ repeat: { exdates: withDate(now, date) } })
    await (rest
      ? send(id, { repeat: rest }, meeting.version, asParted)
      : send(id, left, meeting.version, whenItIs))
  } catch (error) {
    await drop()
    throw error
  }
  return async () => {
    if (own) await takeBack(meeting, () => ({ repeat }))
    else await takeBackDate(meeting, date)
    await drop()
    await refreshRecord('calendar', made)
  }
}

/** What decides where the meetings of a series are: if others change it, no single one can be meant. */
const whenItIs = ['start', 'end', 'all_day', 'timezone']
const asParted = [...whenItIs, 'repeat']

/** How many meetings of a series that counts take place before one of them. */
async function countBefore(
  { calendar_id, series_start, start }: CalendarMeeting,
  repeat: Repeat,
): Promise<number> {
  if (!countOf(repeat)) return 0
  const end = new Date(Date.parse(start) - 1).toISOString()
  const filter = JSON.stringify([{ field: 'calendar_id', operator: 'eq', value: calendar_id }])
  const { data } = await request<{ start: string }[]>('GET', meetingsPlace.path, {
    query: { start: series_start, end, filter, fields: 'calendar_id', items_per_page: 500 },
  })
  return data.filter((each) => each.start < start).length
}

const copied = [
  'title',
  'location',
  'description',
  'link',
  'all_day',
  'milestone_id',
  'is_video_conference',
  'video_conference_type',
  'timezone',
  'is_private',
  'is_shared',
  'extended_props',
] as const

/** What another meeting has of one. Whoever organized that one is invited, for whom it would be gone otherwise. */
function copyOf(whole: AnyRecord): AnyRecord {
  const attendees = peopleOf(whole).map(({ type, id, email, name, is_optional }) => ({
    type,
    id,
    email,
    name,
    is_optional,
  }))
  const organizer = (whole.created_by as CalendarMeeting['created_by'])?.user_id
  const isThere =
    organizer === sessionNow()?.user.user_id ||
    attendees.some(({ type, id }) => type === 'user' && id === organizer)
  const project = (whole.project as { project_id?: string } | null)?.project_id
  return {
    ...Object.fromEntries(copied.map((name) => [name, whole[name]])),
    ...(project ? { project } : {}),
    attendees: [...attendees, ...(organizer && !isThere ? [{ type: 'user', id: organizer }] : [])],
  }
}

/** Cancels a meeting with a note, or drops one date of a series, as an act that can be undone. Throws the `Problem`. */
export async function cancelMeeting({
  meeting,
  scope,
  note,
  zone,
}: Pick<Move, 'meeting' | 'zone'> & { scope: 'one' | 'all'; note: string }): Promise<void> {
  const { calendar_id: id, title, repeat, version } = meeting
  await perform(calendarHistory, async () => {
    if (scope === 'one' && repeat) {
      const date = dateOf(repeat, meeting.start, zone)
      await send(id, (now) => ({ repeat: { exdates: withDate(now, date) } }), version, whenItIs)
      return {
        message: t('“{title}” does not take place on that day', { title }),
        undo: () => takeBackDate(meeting, date),
      }
    }
    const set = { is_meeting_cancelled: true, cancel_note: note.trim() || null }
    await send(id, set, version)
    return {
      message: t('“{title}” is cancelled', { title }),
      undo: async () => {
        await send(id, { is_meeting_cancelled: false, cancel_note: null }, version)
      },
    }
  })
}

/** Waits for an act of a form. Of a conflict a notice says who has changed the meeting: the form is about what it was. */
export async function orTold(acting: Promise<void>): Promise<void> {
  try {
    await acting
  } catch (error) {
    if (!conflictOf(asProblem(error))) throw error
    notifyRefusal(error)
  }
}

/** A date of a series takes place again; what others have changed of its rule and of other dates stays. */
function takeBackDate(meeting: CalendarMeeting, date: string): Promise<void> {
  const without = (now: AnyRecord) => repeatOf(now).exdates.filter((each) => each !== date)
  return takeBack(meeting, (now) => ({ repeat: { exdates: without(now) } }), [])
}

/**
 * Takes a change back, with the answers that people had given before it: whoever agreed to what changes is asked again
 * otherwise, on the way there and on the way back.
 */
async function takeBack(
  meeting: CalendarMeeting,
  change: (now: AnyRecord) => Values,
  fields?: string[],
): Promise<void> {
  const { calendar_id: id, attendees: before, version } = meeting
  const now = await read(id)
  const values = change(now)
  const isAnswered = before.some(({ response }) => response !== 'needs_action')
  if (!isAnswered) {
    if (!meeting.series_start) return put(meeting, values)
    await send(id, change, version, fields ?? Object.keys(values))
    return
  }
  const answered = (then: AnyRecord) => ({
    ...change(then),
    attendees: withAnswers(peopleOf(then), before),
  })
  const after = await send(id, answered, version, fields ?? Object.keys(values))
  // an answer that the change did not cost, as that to a series of which a date was dropped, is asked for all the same
  const left = withAnswers(peopleOf(after), before)
  if (JSON.stringify(left) === JSON.stringify(peopleOf(after))) return
  await send(id, { attendees: left }, version, ['attendees', 'response'])
}

/** Sends a change; of a single meeting it is shown at once. */
async function put(meeting: CalendarMeeting, values: Values): Promise<void> {
  const { calendar_id: id, series_start, version } = meeting
  if (series_start) {
    // what is on the page are occurrences, whose times are not those of the series
    await send(id, values, version)
    return
  }
  const made = await changeRecord(meetingsPlace, id, values, { version: latest(id, version) })
  remember(id, made)
}

/**
 * Sends a change on top of the version that was shown, unless others have changed one of the fields since. What follows
 * from the meeting as it is now is made anew each time it is sent, so that what others have changed meanwhile stays.
 */
async function send(
  id: string,
  values: Values | ((now: AnyRecord) => Values),
  version: number | undefined,
  fields = Object.keys(values),
): Promise<AnyRecord> {
  try {
    const { data } = await sendIfUnchanged(latest(id, version), fields, async (headers) =>
      request<AnyRecord>('PUT', pathOf(meetingsPlace, id), {
        body: typeof values === 'function' ? values(await read(id)) : values,
        headers: { prefer: 'return=representation', ...headers },
      }),
    )
    remember(id, data.version)
    rememberOwnChange('calendar', id, data.version)
    return data
  } finally {
    await refreshRecord('calendar', id)
  }
}

/** The newest versions of meetings that this tab has made: an act is undone on top of those after it. */
const newest = new Map<string, number>()

function remember(id: string, version: unknown): void {
  if (typeof version === 'number') newest.set(id, version)
}

function latest(id: string, version: number | undefined): number | undefined {
  const mine = newest.get(id)
  return mine === undefined || version === undefined ? version : Math.max(mine, version)
}

const read = async (id: string) => (await request<AnyRecord>('GET', pathOf(meetingsPlace, id))).data

const repeatOf = ({ repeat }: AnyRecord) => (repeat as Repeat | null) ?? { rrule: '', exdates: [] }

const withDate = (meeting: AnyRecord, date: string) => [
  ...new Set([...repeatOf(meeting).exdates, date]),
]

const peopleOf = ({ attendees }: AnyRecord) => attendees as Attendees
