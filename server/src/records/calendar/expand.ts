import { Temporal } from 'temporal-polyfill'
import { computation } from '../../kit/ground/computation.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import type { Repeat } from './repeat.ts'
import { occurrences, ownZone } from './repeat.ts'

// Expands the occurrences of many series, which takes seconds if they are many or go
// far into the future: in other processes, with JSON as text, which is cheap to copy.

/** The maximum number of occurrences of one series that are listed. */
const most = 1000

export type Bounds = { from: string; to: string }

/** An occurrence of a meeting; of a series with its own end and the start of the series. */
export type Occurrence = { id: string; start: string; end?: string; series_start?: string }

type Listed = {
  /** JSON of the meetings that do not repeat: `calendar_id` and `start` */
  single: string
  /** JSON of the series: also `end`, `all_day`, `repeat` and `timezone` */
  series: string
  /** the zone of series without one of their own */
  zone: string
  bounds: Bounds
  /** how many occurrences come before the page, and how many are on it */
  page: { skip: number; size: number; reverse: boolean }
}

/** One page of all occurrences within a range, by their start. */
export function pageOfOccurrences({ single, series, zone, bounds, page }: Listed): {
  found: Occurrence[]
  more: boolean
} {
  const { skip, size, reverse } = page
  const all: Occurrence[] = (JSON.parse(single) as MeetingRow[]).map((meeting) => ({
    id: meeting.calendar_id,
    start: meeting.start,
  }))
  // a series cannot have more occurrences here than fit on this page and those before
  const needed = reverse ? most : Math.min(most, skip + size + 1)
  for (const meeting of JSON.parse(series) as MeetingRow[]) {
    const { calendar_id: id, start: series_start, repeat, timezone } = meeting
    if (!repeat) continue
    const own = ownZone(timezone, zone) ?? zone
    const endOf = endsOf(meeting, own)
    // an occurrence that began before the range and lasts into it is listed, like a single meeting
    const length = Date.parse(meeting.end) - Date.parse(series_start) + longestShift
    const from = new Date(Date.parse(bounds.from) - length).toISOString()
    const begun = occurrences({ repeat, start: series_start }, own, { ...bounds, from }, needed + 2)
    const listed = begun
      .map((start) => ({ id, start, end: endOf(start), series_start }))
      .filter(({ end }) => end >= bounds.from)
    all.push(...listed.slice(0, needed))
  }
  // in the order of the database, which lists no more single meetings than are needed here
  all.sort((a, b) => ordered(a.start, b.start) || ordered(a.id, b.id))
  if (reverse) all.reverse()
  return { found: all.slice(skip, skip + size), more: all.length > skip + size }
}

function ordered(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** How much longer daylight saving time can make a day. */
const longestShift = 3_600_000

/** The end of each occurrence by its start: times last as long as the first one, days as many days. */
export function endsOf(
  { start, end, all_day }: Pick<MeetingRow, 'start' | 'end' | 'all_day'>,
  zone: string,
): (start: string) => string {
  const length = Date.parse(end) - Date.parse(start)
  if (!all_day) return (at) => new Date(Date.parse(at) + length).toISOString()
  const local = (time: string) => Temporal.Instant.from(time).toZonedDateTimeISO(zone)
  const days = local(start).toPlainDateTime().until(local(end).toPlainDateTime())
  return (at) => {
    const { epochMilliseconds } = local(at).toPlainDateTime().add(days).toZonedDateTime(zone)
    return new Date(epochMilliseconds).toISOString()
  }
}

export const listing = computation(import.meta.url, pageOfOccurrences)

type Counted = {
  /** `repeat` is JSON */
  series: { repeat: string; start: string; zone: string | null }[]
  zone: string
  bounds: Bounds
  /** the maximum that is counted of one series */
  limit: number
}

/** The days of each series within a range, in the zone; a day is repeated if the meeting occurs more than once. */
export function daysOfSeries({ series, zone, bounds, limit }: Counted): string[][] {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return series.map(({ repeat, start, zone: own }) => {
    const parsed = JSON.parse(repeat) as Repeat
    return occurrences(
      { repeat: parsed, start },
      ownZone({ name: own }, zone) ?? zone,
      bounds,
      limit,
    )
      .filter((each) => each < bounds.to)
      .map((each) => local.format(new Date(each)))
  })
}

export const counting = computation(import.meta.url, daysOfSeries)
