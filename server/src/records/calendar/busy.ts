import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { addDays, daysBetween, startOfDay } from '../../kit/ground/dates.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { workCalendar } from '../../model/holidays/calendar.ts'
import { settingsOf } from '../../model/organizations/settings.ts'
import { nameablePeople } from '../../model/people/person.ts'
import type { WorkingSpan } from '../../model/time/working-hours.ts'
import type { CalendarEvent } from './connected/event.ts'
import { listing } from './expand.ts'
import { ownZone } from './repeat.ts'

/** Why somebody is busy; `busy` is what a calendar that they have connected says. */
export const busyReasons = ['meeting', 'private', 'busy', 'away', 'holiday'] as const

/** A time at which somebody is busy; the title only of what the caller may read, of their own calendars its name. */
export type Busy = {
  from: string
  to: string
  why: (typeof busyReasons)[number]
  title: string | null
}
export type Span = { from: string; to: string }
export type BusyPerson = {
  user_id: string
  name: string
  /** when the person works, by their own clock, without holidays and days away */
  working: Span[]
  busy: Busy[]
}

/** The most meetings, and series, that are read in a range, and occurrences of these. */
const most = { rows: 2000, occurrences: 5000 }

/**
 * When users work and when they are busy within a range: meetings, times of calendars that they have connected, days
 * away, and holidays of the organization. The one place that says so: what else makes people busy joins here. Whatever
 * the caller may read of it counts; only titles depend on rights. Declined and cancelled meetings do not count. Ids of nobody are left out.
 */
export async function busyTimesOf(
  ctx: Context,
  ids: string[],
  range: Span & { calendar_id?: string },
): Promise<BusyPerson[]> {
  const [users, meetings, elsewhere, settings, calendar] = await Promise.all([
    usersOf(ctx, ids),
    meetingsOf(ctx, ids, range),
    elsewhereOf(ctx, ids, range),
    settingsOf(ctx),
    workCalendar(ctx),
  ])
  const usual = settings.working_hours.length
    ? settings.working_hours
    : [{ days: settings.working_days, from: '08:00', to: '18:00' }]
  return users.map(({ id: user_id, full_name: name, absences, working_hours, ...user }) => {
    const zone = user.timezone ?? ctx.organization.timezone
    const days = daysOf(range, zone)
    const isHoliday = (day: string) => calendar.isHoliday(day)
    const isAway = (day: string) =>
      absences.some(({ start_date, end_date }) => start_date <= day && day <= end_date)
    const wholeDay = (day: string, why: Busy['why'], title: string | null): Busy => ({
      from: startOfDay(day, zone),
      to: startOfDay(addDays(day, 1), zone),
      why,
      title,
    })
    const off = days.flatMap((day) => {
      if (isAway(day)) return wholeDay(day, 'away', null)
      const named = calendar.names[day] ?? calendar.names[day.slice(5)] ?? null
      return isHoliday(day) ? wholeDay(day, 'holiday', named) : []
    })
    const own = [...meetings, ...elsewhere].flatMap(({ people, busy }) =>
      people.includes(user_id) ? busy : [],
    )
    const working = days
      .filter((day) => !isAway(day) && !isHoliday(day))
      .flatMap((day) => spansOn(day, working_hours.length ? working_hours : usual, zone))
    return {
      user_id,
      name,
      working: working.filter((span) => span.to > range.from && span.from < range.to),
      busy: [...off, ...own]
        .filter((each) => each.to > range.from && each.from < range.to)
        .toSorted((a, b) => a.from.localeCompare(b.from)),
    }
  })
}

type User = {
  id: string
  full_name: string
  timezone: string | null
  absences: { start_date: string; end_date: string }[]
  working_hours: WorkingSpan[]
}

function usersOf(ctx: Context, ids: string[]): Promise<User[]> {
  return ctx.all<User>(sql`select t.id, t.full_name, t.timezone, t.absences, t.working_hours from users t
    where ${all(mine(ctx), nameablePeople(ctx))} and t.deleted_at is null
      and t.id = any(${ids}::varchar[])`)
}

/** The days that a range touches, by the clock of a zone. */
function daysOf({ from, to }: Span, zone: string): string[] {
  const day = (at: string) =>
    Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString()
  const first = day(from)
  return Array.from({ length: daysBetween(first, day(to)) + 1 }, (_, n) => addDays(first, n))
}

/** The spans of a day as instants. */
function spansOn(day: string, spans: WorkingSpan[], zone: string): Span[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const at = (clock: string) =>
    clock === '24:00'
      ? startOfDay(addDays(day, 1), zone)
      : new Date(
          Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(zone).epochMilliseconds,
        ).toISOString()
  return spans
    .filter(({ days }) => days.includes(weekday))
    .map(({ from, to }) => ({ from: at(from), to: at(to) }))
    .toSorted((a, b) => a.from.localeCompare(b.from))
}

type Timed = Pick<MeetingRow, 'calendar_id' | 'start' | 'end' | 'all_day' | 'repeat' | 'timezone'>
type Taken = { people: string[]; busy: Busy }

/** The meetings of these users in a range, each occurrence of a series as a busy time. */
async function meetingsOf(
  ctx: Context,
  ids: string[],
  { from, to, calendar_id = '' }: Span & { calendar_id?: string },
): Promise<Taken[]> {
  type Stored = Timed & { is_private: boolean; people: string[]; title: string | null }
  const stored = await ctx.all<Stored>(sql`
    select t.id as calendar_id, t.starts_at as start, t.ends_at as "end", t.all_day, t.repeat, t.timezone,
      t.is_private, case when ${scope(ctx, Meeting, 'read')} then t.title end as title, p.people
    from meetings t
    cross join lateral (select array(select u from unnest(${ids}::varchar[]) u
      where (t.created_by = u or t.attendees @> jsonb_build_array(jsonb_build_object('type', 'user', 'id', u)))
        and not t.attendees @> jsonb_build_array(
          jsonb_build_object('type', 'user', 'id', u, 'response', 'declined'))) as people) p
    where ${mine(ctx)} and t.deleted_at is null and not t.is_meeting_cancelled
      and t.starts_at < ${to} and (t.repeat is not null or t.ends_at > ${from})
      and t.id <> ${calendar_id} and cardinality(p.people) > 0
    order by t.starts_at desc limit ${most.rows}`)
  return timesOf(ctx, stored, { from, to }, ({ people, is_private, title }) => ({
    people,
    why: is_private ? 'private' : 'meeting',
    title,
  }))
}

/** The times that entries of connected calendars take which are no meetings here: only the times of these are known. */
async function elsewhereOf(ctx: Context, ids: string[], range: Span): Promise<Taken[]> {
  type Entry = Pick<CalendarEvent, 'start' | 'end' | 'all_day' | 'zone' | 'rrule' | 'exdates'>
  type Stored = { id: string; user_id: string; timezone: string | null; name: string | null } & {
    times: Entry
  }
  // days are texts without a time, by the clock of the person: one more on each side, and what does not overlap is
  // left out below
  const [after, before] = [addDays(range.from.slice(0, 10), -2), addDays(range.to.slice(0, 10), 2)]
  const stored = await ctx.all<Stored>(sql`
    select t.id, c.user_id, u.timezone, c.calendar_name as name, t.theirs as times
    from calendar_connections c
    join users u on u.organization_id = $organization and u.id = c.user_id
    join calendar_copies t on t.organization_id = $organization and t.connection_id = c.id
    where c.organization_id = $organization and c.user_id = any(${ids}::varchar[])
      and t.calendar_id is null and t.theirs is not null
      and (t.theirs ->> 'start') collate "C" < ${before}
      and (t.theirs ->> 'rrule' is not null or (t.theirs ->> 'end') collate "C" > ${after})
    order by t.theirs ->> 'start' desc limit ${most.rows}`)
  const entries = stored.map(({ id, user_id, timezone, name, times }) => {
    const zone = timezone ?? ctx.organization.timezone
    const { all_day, rrule, exdates } = times
    return {
      calendar_id: id,
      start: all_day ? startOfDay(times.start, zone) : times.start,
      end: all_day ? startOfDay(times.end, zone) : times.end,
      all_day,
      repeat: rrule === null ? null : { rrule, exdates },
      timezone: { name: all_day ? zone : (times.zone ?? zone) },
      people: [user_id],
      title: user_id === ctx.actor.user_id ? name : null,
    }
  })
  return timesOf(ctx, entries, range, ({ people, title }) => ({ people, why: 'busy', title }))
}

/** Each occurrence of these in a range as a busy time, as `say` words it. */
async function timesOf<T extends Timed>(
  ctx: Context,
  stored: T[],
  bounds: Span,
  say: (each: T) => Pick<Busy, 'why' | 'title'> & { people: string[] },
): Promise<Taken[]> {
  if (!stored.length) return []
  const single = stored.filter(({ repeat }) => !repeat)
  const listed = {
    single: JSON.stringify(
      single.map(({ calendar_id: id, start }) => ({ calendar_id: id, start })),
    ),
    series: JSON.stringify(stored.filter(({ repeat }) => repeat)),
    zone: ctx.organization.timezone,
    bounds,
    page: { skip: 0, size: most.occurrences, reverse: false },
  }
  const { found } = await ctx.services.computations.run(ctx.organization.id, listing, listed)
  const { timezone: zone } = ctx.organization
  const byId = new Map(stored.map((each) => [each.calendar_id, each]))
  return found.flatMap(({ id, start, end }) => {
    const each = byId.get(id)
    if (!each) return []
    const { people, why, title } = say(each)
    // an occurrence of whole days ends like the entry: at the beginning of its last day
    const to = lastOf({ ...each, end: end ?? each.end }, ownZone(each.timezone, zone) ?? zone)
    return { people, busy: { from: start, to, why, title } }
  })
}

/** When a meeting is over; one of whole days lasts through the day of its end. */
function lastOf({ end, all_day }: Pick<MeetingRow, 'end' | 'all_day'>, zone: string): string {
  if (!all_day) return end
  const day = Temporal.Instant.from(end).toZonedDateTimeISO(zone).toPlainDate()
  return startOfDay(day.add({ days: 1 }).toString(), zone)
}
