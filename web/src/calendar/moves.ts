import { addDays } from '../records/field/format.ts'
import { instantAt, localTime } from '../records/field/local-time.ts'
import { request } from '../api/request.ts'
import type { CalendarMeeting } from '../data/calendar.ts'
import { meetingsPlace } from '../data/calendar.ts'
import { refreshRecord } from '../data/cached.ts'
import { changeRecord, createRecord } from '../data/change.ts'
import { perform } from '../data/history.ts'
import type { AnyRecord } from '../data/record.ts'
import { pathOf } from '../data/record.ts'

/** Which occurrences of a series a change is for. */
export type Scope = 'one' | 'later' | 'all'

/** The acts in the calendar, which are undone in their order. */
export const calendarHistory = 'calendar'

type Times = { start: string; end: string }
type Repeat = { rrule: string; exdates: string[] }
type Move = {
  meeting: CalendarMeeting
  times: Times
  scope: Scope
  /** the zone whose clock the series follows */
  zone: string
  message: string
}

/** Moves a meeting, or one, some or all of a series, as an act that can be undone. Throws the `Problem`. */
export async function moveMeeting(move: Move): Promise<void> {
  const { meeting, scope, message } = move
  const isFirst = meeting.series_start === meeting.start
  await perform(calendarHistory, async () => {
    if (meeting.series_start && (scope === 'one' || (scope === 'later' && !isFirst))) {
      return { message, undo: await split(move) }
    }
    const set = meeting.series_start ? shifted(move) : { ...move.times }
    const before = meeting.series_start
      ? { start: meeting.series_start, end: endOf(meeting), repeat: meeting.repeat }
      : { start: meeting.start, end: meeting.end }
    const put = async (values: object) => {
      const { calendar_id: id, series_start } = meeting
      // what is on the page are occurrences, whose times are not those of the series
      if (series_start) return send(id, values, meeting.version)
      const version = latest(id, meeting.version)
      remember(id, await changeRecord(meetingsPlace, id, { ...values }, { version }))
    }
    await put(set)
    return { message, undo: () => put(before) }
  })
}

/** The rule of a series on other days: its weekdays move with it; undefined where its days cannot. */
export function ruleMoved(rrule: string, days: number): string | undefined {
  if (!days) return rrule
  const parts = rrule.split(';')
  const by = parts.filter((part) => /^BY(?!HOUR|MINUTE)/i.test(part))
  if (!by.length) return rrule
  const [only = ''] = by
  if (by.length > 1 || !/^BYDAY=(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$/i.test(only)) {
    return undefined
  }
  if (!/FREQ=WEEKLY/i.test(rrule)) return undefined
  const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
  const moved = only
    .slice('BYDAY='.length)
    .toUpperCase()
    .split(',')
    .map((name) => names[(names.indexOf(name) + (((days % 7) + 7) % 7)) % 7])
  return parts.map((part) => (part === only ? `BYDAY=${moved.join(',')}` : part)).join(';')
}

/** How many days a move goes, by the clock of the series. */
export function daysMoved(from: string, to: string, zone: string): number {
  const day = (time: string) => Date.parse(localTime(time, zone).slice(0, 10))
  return Math.round((day(to) - day(from)) / 86_400_000)
}

/** A time that is moved as another one is, by the clock of the zone. */
function alike(time: string, { meeting, times, zone }: Move): string {
  const clock = (each: string) => Date.parse(`${localTime(each, zone)}Z`)
  const moved = clock(time) + clock(times.start) - clock(meeting.start)
  return instantAt(new Date(moved).toISOString().slice(0, 16), zone)
}

const lengthOf = ({ start, end }: Times) => Date.parse(end) - Date.parse(start)

/** The end of the first meeting of a series. */
function endOf(meeting: CalendarMeeting): string {
  return new Date(
    Date.parse(meeting.series_start ?? meeting.start) + lengthOf(meeting),
  ).toISOString()
}

/** A whole series that moves as one of its meetings does. */
function shifted(move: Move): Times & { repeat: Repeat } {
  const { meeting, times, zone } = move
  const start = alike(meeting.series_start ?? meeting.start, move)
  const days = daysMoved(meeting.start, times.start, zone)
  const { rrule = '', exdates = [] } = meeting.repeat ?? {}
  return {
    start,
    end: new Date(Date.parse(start) + lengthOf(times)).toISOString(),
    repeat: {
      rrule: ruleMoved(rrule, days) ?? rrule,
      exdates: exdates.map((date) => dateAlike(date, days, move)),
    },
  }
}

function dateAlike(date: string, days: number, move: Move): string {
  if (isPlainDay(date)) return addDays(date, days)
  return alike(new Date(date).toISOString(), move)
}

const isPlainDay = (date: string) => /^\d{4}-\d\d-\d\d$/.test(date)

/** Takes one meeting, or all from it on, out of its series, as a meeting of its own; returns what takes it back. */
async function split(move: Move): Promise<() => Promise<void>> {
  const { meeting, times, scope, zone } = move
  const { calendar_id: id } = meeting
  const { data: whole } = await request<AnyRecord>('GET', pathOf(meetingsPlace, id))
  const repeat = whole.repeat as Repeat
  const { rest, own } =
    scope === 'one'
      ? { rest: without(repeat, meeting, zone), own: null }
      : await parted(repeat, move)
  const made = await createRecord(
    meetingsPlace,
    { ...copyOf(whole), ...times, ...(own ? { repeat: own } : {}) },
    crypto.randomUUID(),
  )
  const drop = () => request('DELETE', pathOf(meetingsPlace, made)).then(() => undefined)
  const version = whole.version as number | undefined
  try {
    await send(id, { repeat: rest }, version)
  } catch (error) {
    await drop()
    throw error
  }
  return async () => {
    await send(id, { repeat }, version)
    await drop()
    await refreshRecord('calendar', made)
  }
}

/** A series without one of its meetings. */
function without(repeat: Repeat, { start }: CalendarMeeting, zone: string): Repeat {
  // several on a day are told apart by their time
  const isHourly = /FREQ=HOURLY|BYHOUR=\d+,/i.test(repeat.rrule)
  return {
    ...repeat,
    exdates: [...repeat.exdates, isHourly ? start : localTime(start, zone).slice(0, 10)],
  }
}

/** The two series into which one is parted. */
async function parted(repeat: Repeat, move: Move): Promise<{ rest: Repeat; own: Repeat }> {
  const { meeting, times, zone } = move
  const day = localTime(meeting.start, zone).slice(0, 10)
  const isEarlier = (date: string) =>
    isPlainDay(date) ? date < day : new Date(date).toISOString() < meeting.start
  const days = daysMoved(meeting.start, times.start, zone)
  const parts = repeat.rrule.split(';')
  const others = parts.filter((part) => !/^(COUNT|UNTIL)=/i.test(part))
  const count = Number(/COUNT=(\d+)/i.exec(repeat.rrule)?.[1] ?? 0)
  const before = count ? (await countBefore(meeting)) + repeat.exdates.filter(isEarlier).length : 0
  const until = parts.filter((part) => /^UNTIL=/i.test(part))
  const last = [...others, `UNTIL=${addDays(day, -1).replaceAll('-', '')}`]
  const rule = [...others, ...(count ? [`COUNT=${Math.max(count - before, 1)}`] : until)].join(';')
  return {
    rest: { rrule: last.join(';'), exdates: repeat.exdates.filter(isEarlier) },
    own: {
      rrule: ruleMoved(rule, days) ?? rule,
      exdates: repeat.exdates
        .filter((date) => !isEarlier(date))
        .map((date) => dateAlike(date, days, move)),
    },
  }
}

/** How many meetings of a series take place before one of them. */
async function countBefore({ calendar_id, series_start, start }: CalendarMeeting): Promise<number> {
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

/** What another meeting has of one. */
function copyOf(whole: AnyRecord): AnyRecord {
  const attendees = (whole.attendees as CalendarMeeting['attendees']).map(
    ({ type, id, email, name, is_optional }) => ({ type, id, email, name, is_optional }),
  )
  const project = (whole.project as { project_id?: string } | null)?.project_id
  return {
    ...Object.fromEntries(copied.map((name) => [name, whole[name]])),
    ...(project ? { project } : {}),
    attendees,
  }
}

/** The newest versions of meetings that this tab has made: an act is undone on top of those after it. */
const own = new Map<string, number>()

function remember(id: string, version: number | undefined): void {
  if (version !== undefined) own.set(id, version)
}

function latest(id: string, version: number | undefined): number | undefined {
  const mine = own.get(id)
  return mine === undefined || version === undefined ? version : Math.max(mine, version)
}

async function send(id: string, values: object, version: number | undefined): Promise<void> {
  const known = latest(id, version)
  const { data } = await request<AnyRecord | null>('PUT', pathOf(meetingsPlace, id), {
    body: values,
    headers: {
      prefer: 'return=representation',
      ...(known === undefined ? {} : { 'if-match': `"${known}"` }),
    },
  })
  remember(id, data?.version as number | undefined)
  await refreshRecord('calendar', id)
}

/** Cancels a meeting with a note, or drops one date of a series, as an act that can be undone. Throws the `Problem`. */
export async function cancelMeeting({
  meeting,
  scope,
  note,
  zone,
}: Pick<Move, 'meeting' | 'zone'> & { scope: 'one' | 'all'; note: string }): Promise<void> {
  const { calendar_id: id, title, repeat, version } = meeting
  const put = (values: object) => send(id, values, version)
  const isOne = scope === 'one' && repeat
  await perform(calendarHistory, async () => {
    await put(
      isOne
        ? { repeat: without(repeat, meeting, zone) }
        : { is_meeting_cancelled: true, cancel_note: note.trim() || null },
    )
    return {
      message: isOne ? `“${title}” does not take place on that day` : `“${title}” is cancelled`,
      undo: () => put(isOne ? { repeat } : { is_meeting_cancelled: false, cancel_note: null }),
    }
  })
}
