import { computation } from '../../kit/ground/computation.ts'
import type { MeetingRow } from './meeting.ts'
import type { Repeat } from './repeat.ts'
import { occurrences, ownZone } from './repeat.ts'

// What computes with the occurrences of many series, which takes seconds where they are many or go
// far: in other processes, with JSON as text, which is copied there in no time.

/** At most so many occurrences of one series are listed. */
const most = 1000

export type Bounds = { from: string; to: string }

/** An occurrence of a meeting; of a series with the start of the series. */
export type Occurrence = { id: string; start: string; series_start?: string }

type Listed = {
  /** JSON of the meetings that do not repeat: `calendar_id` and `start` */
  single: string
  /** JSON of the series: `repeat` and `timezone` beside */
  series: string
  /** the zone of series without one of their own */
  zone: string
  bounds: Bounds
  /** where it begins, and how many there are on it */
  page: { skip: number; size: number; reverse: boolean }
}

/** One page of all occurrences inside bounds, by their start. */
export function pageOfOccurrences({ single, series, zone, bounds, page }: Listed): {
  found: Occurrence[]
  more: boolean
} {
  const { skip, size, reverse } = page
  const all: Occurrence[] = (JSON.parse(single) as MeetingRow[]).map((meeting) => ({
    id: meeting.calendar_id,
    start: meeting.start,
  }))
  // of each series no more can be on the page than on it and those before
  const needed = reverse ? most : Math.min(most, skip + size + 1)
  for (const { calendar_id: id, start, repeat, timezone } of JSON.parse(series) as MeetingRow[]) {
    if (!repeat) continue
    const own = ownZone(timezone, zone) ?? zone
    for (const each of occurrences({ repeat, start }, own, bounds, needed)) {
      all.push({ id, start: each, series_start: start })
    }
  }
  all.sort((a, b) => a.start.localeCompare(b.start) || a.id.localeCompare(b.id))
  if (reverse) all.reverse()
  return { found: all.slice(skip, skip + size), more: all.length > skip + size }
}

export const listing = computation(import.meta.url, pageOfOccurrences)

type Counted = {
  /** `repeat` is JSON */
  series: { repeat: string; start: string; zone: string | null }[]
  zone: string
  bounds: Bounds
  /** more of one series are not counted */
  limit: number
}

/** The days of each series inside bounds, as they are in the zone; each as often as it occurs on it. */
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
