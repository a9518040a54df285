import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { fittingEach } from '../../kit/read/json.ts'
import { inOwnOrder, listPage, listWhole } from '../../kit/read/list.ts'
import { instantOf } from './input.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import type { Occurrence } from './expand.ts'
import { listing, pageOfOccurrences } from './expand.ts'

type PageQuery = Parameters<typeof listPage>[2]

/** The maximum number of series that are listed in a range, those that began last, and of single meetings. */
const mostSeries = 500
const mostSingles = 10_000

const year = 366 * 86_400_000

/**
 * Meetings by their start. Between two bounds each occurrence of a series is listed separately, with the
 * start of the series as its `series_start`; a single bound means a range of a year. `extra` is a condition over `t`.
 */
export function listMeetings(
  ctx: Context,
  { start, end, ...page }: PageQuery & { start?: string; end?: string },
  extra?: Query,
): Promise<Answer> {
  const zone = ctx.organization.timezone
  if (start || end) {
    if (page.deleted) {
      throw badField('deleted', 'lists whole meetings: not with start or end')
    }
    const from = start === undefined ? undefined : instantOf(start, 'start', zone)
    const to = end === undefined ? undefined : instantOf(end, 'end', zone)
    return expanded(ctx, page, { from, to, extra })
  }
  return listPage(ctx, Meeting, inOwnOrder(page, { sort: 'start', reverse: !page.reverse }), extra)
}

/** A page of the meetings that meet a condition over `t`, as the JSON of a read. */
export async function meetingsAsText(
  ctx: Context,
  query: PageQuery,
  condition: Query,
): Promise<string> {
  const { body } = await listWhole(ctx, Meeting, query, condition)
  return (body as Json).text
}

/** The meetings within a range, with each occurrence of a series, by their start. */
async function expanded(
  ctx: Context,
  page: PageQuery,
  { from, to, extra }: { from?: string; to?: string; extra?: Query },
) {
  const first = from ?? '0001-01-01T00:00:00.000Z'
  const last = to ?? new Date(Date.parse(first) + year).toISOString()
  if (last < first) throw badField('end', 'must not be before start')
  const { items_per_page: size = 25, page: number = 1, offset, sort: _, ...others } = page
  const { reverse = false, ...rest } = others
  const skip = offset ?? (number - 1) * size
  const query = { ...rest, sort: 'start' }
  // no more than come before the page and stand on it
  const needed = Math.min(skip + size + 1, mostSingles)
  const single = sql`t.repeat is null and t.starts_at <= ${last} and t.ends_at >= ${first}`
  const series = sql`t.repeat is not null and t.starts_at <= ${last}`
  const [singles, repeated] = await Promise.all([
    meetingsAsText(
      ctx,
      { ...query, fields: 'start', items_per_page: needed, reverse },
      all(single, extra),
    ),
    meetingsAsText(
      ctx,
      {
        ...query,
        fields: 'start,end,all_day,repeat,timezone',
        items_per_page: mostSeries,
        reverse: true,
      },
      all(series, extra),
    ),
  ])
  const listed = {
    single: singles,
    series: repeated,
    zone: ctx.organization.timezone,
    bounds: { from: first, to: last },
    page: { skip, size, reverse },
  }
  const { found, more } =
    repeated === '[]'
      ? pageOfOccurrences(listed)
      : await ctx.services.computations.run(ctx.organization.id, listing, listed)
  const texts = await textsOf(ctx, found, rest.fields)
  const isShorter = texts.length < found.length
  return new Answer(Json.of('[', texts, ']'), {
    page: {
      number,
      size,
      more: more || isShorter,
      ...(isShorter ? { next: skip + texts.length } : {}),
      ...(offset === undefined ? {} : { offset }),
    },
  })
}

/** The JSON of occurrences, as many as fit into a page. */
async function textsOf(ctx: Context, found: Occurrence[], fields?: string): Promise<string[]> {
  const query = { items_per_page: 500, ...(fields ? { fields: `${fields},start,end` } : {}) }
  const read = async (ids: string[]) => {
    const { body } = await listPage(ctx, Meeting, query, sql`t.id = any(${ids})`)
    const rows = JSON.parse((body as Json).text) as MeetingRow[]
    for (const row of rows) at.set(row.calendar_id, timesIn(row))
  }
  const at = new Map<string, ReturnType<typeof timesIn>>()
  const ids = [...new Set(found.map(({ id }) => id))]
  await read(ids)
  // a page of large meetings is shorter, but must begin with the first one
  if (ids[0] !== undefined && !at.has(ids[0])) await read(ids.slice(0, 1))
  const missing = found.findIndex(({ id }) => !at.has(id))
  const there = missing < 0 ? found : found.slice(0, missing)
  return fittingEach(
    there.values().map((occurrence) => at.get(occurrence.id)?.(occurrence) ?? ''),
    ctx.limits.pageBytes,
  )
}

/** A function that returns a meeting's JSON with other times: the rest is written only once. */
function timesIn(meeting: MeetingRow): (occurrence: Occurrence) => string {
  const [start, end] = [newId(), newId()]
  const written = JSON.stringify({ ...meeting, start, end })
  return (occurrence) => {
    const { series_start } = occurrence
    const text = written
      .replace(start, occurrence.start)
      .replace(end, occurrence.end ?? meeting.end)
    return series_start ? `${text.slice(0, -1)},"series_start":"${series_start}"}` : text
  }
}
