import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { fittingEach } from '../../kit/read/json.ts'
import { listPage, listWhole } from '../../kit/read/list.ts'
import { instantOf } from './input.ts'
import type { MeetingRow } from './meeting.ts'
import { Meeting } from './meeting.ts'
import type { Repeat } from './repeat.ts'
import { occurrences, zoneOf } from './repeat.ts'

type PageQuery = Parameters<typeof listPage>[2]

/** At most so many occurrences of one series are listed, and half as many series and single meetings. */
const most = 1000

const year = 366 * 86_400_000

/**
 * Meetings by their start. Between bounds each occurrence of a series is listed by itself, with the
 * start of the series as its `series_start`; a single bound reaches a year.
 */
export function listMeetings(
  ctx: Context,
  { start, end, ...page }: PageQuery & { start?: string; end?: string },
): Promise<Answer> {
  const zone = ctx.organization.timezone
  if (start || end) {
    const from = start === undefined ? undefined : instantOf(start, 'start', zone)
    const to = end === undefined ? undefined : instantOf(end, 'end', zone)
    return expanded(ctx, page, from, to)
  }
  const isSorted = page.sort || page.filter_id
  const order = isSorted ? {} : { sort: 'start', reverse: !page.reverse }
  return listPage(ctx, Meeting, { ...page, ...order })
}

/** The meetings of a page under a condition over `t`, as a read shows them. */
export async function meetingRows(
  ctx: Context,
  query: PageQuery,
  condition: Query,
): Promise<MeetingRow[]> {
  const { body } = await listWhole(ctx, Meeting, query, condition)
  return JSON.parse((body as Json).text) as MeetingRow[]
}

type Occurrence = MeetingRow & { series_start?: string }

/** The meetings inside bounds, with each occurrence of the series among them, by their start. */
async function expanded(ctx: Context, page: PageQuery, from?: string, to?: string) {
  const first = from ?? '0001-01-01T00:00:00.000Z'
  const last = to ?? new Date(Date.parse(first) + year).toISOString()
  if (last < first) throw badField('end', 'must not be before start')
  const { items_per_page: size = 25, page: number = 1, offset, sort: _, reverse, ...rest } = page
  const query = { ...rest, items_per_page: most / 2, sort: 'start' }
  const [single, series] = await Promise.all([
    meetingRows(
      ctx,
      query,
      sql`t.repeat is null and t.starts_at <= ${last} and t.ends_at >= ${first}`,
    ),
    meetingRows(ctx, query, sql`t.repeat is not null and t.starts_at <= ${last}`),
  ])
  const repeated = series.flatMap((meeting) =>
    meeting.repeat ? occurrencesOf(ctx, meeting, meeting.repeat, { from: first, to: last }) : [],
  )
  const all: Occurrence[] = [...single, ...repeated].sort(
    (a, b) => a.start.localeCompare(b.start) || a.calendar_id.localeCompare(b.calendar_id),
  )
  if (reverse) all.reverse()
  const skip = offset ?? (number - 1) * size
  // the occurrences of a series repeat all that it holds
  const wanted = all.slice(skip, skip + size)
  const texts = fittingEach(
    wanted.values().map((each) => JSON.stringify(each)),
    ctx.limits.pageBytes,
  )
  const end = skip + texts.length
  const next = texts.length < wanted.length ? { next: end } : {}
  return new Answer(new Json(`[${texts.join()}]`), {
    page: {
      number,
      size,
      more: all.length > end,
      ...next,
      ...(offset === undefined ? {} : { offset }),
    },
  })
}

function occurrencesOf(
  ctx: Context,
  meeting: MeetingRow,
  repeat: Repeat,
  bounds: { from: string; to: string },
): Occurrence[] {
  const { start, end } = meeting
  const length = Date.parse(end) - Date.parse(start)
  const starts = occurrences({ repeat, start }, zoneOf(ctx, meeting.timezone), bounds, most)
  return starts.map((each) => ({
    ...meeting,
    start: each,
    end: new Date(Date.parse(each) + length).toISOString(),
    series_start: start,
  }))
}
