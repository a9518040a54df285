import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { columnsFor, joinsFor, shapeFor, writeRows } from '../../../kit/read/json.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import type { Group } from './groups.ts'
import { groupsOf } from './groups.ts'
import type { Likeness } from './likeness.ts'
import { scoreOf } from './likeness.ts'
import type { Place } from './walk.ts'
import { decodePlace, encodePlace, readWindow, startOf } from './walk.ts'

/** The maximum number of steps of a walk per page. */
const mostWindows = 8
/** The maximum number of records shown in a group; its count includes all that were found. */
export const mostShown = 20

const times = ['creation_time', 'last_update_time']

/** The fields that a group shows of each record. */
export function shownFields({ shows }: Likeness): string[] {
  return [...shows, ...times]
}

/**
 * A page of groups of records that may be duplicates, each with a score and the reasons. The records
 * are walked through in the order of the compared values (sorted neighbourhoods: Hernández and
 * Stolfo, 1995), so a page costs the same however many there are. A page with few or no groups and
 * a `next_cursor` is not the end.
 */
export async function findDuplicates(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const groups: Group[] = []
  let place = cursor ? decodePlace(likeness, record, cursor) : startOf(likeness, 0)
  for (let i = 0; place && groups.length < limit && i < mostWindows; i++) {
    const window = await readWindow(ctx, record, likeness, place)
    const found = await groupsOf(ctx, likeness, place, window)
    const shown = found.slice(0, limit - groups.length)
    groups.push(...shown)
    place = nextPlace(likeness, place, window.end, shown.length < found.length && shown.at(-1))
  }
  const results = await shownGroups(ctx, record, likeness, groups)
  return { results, next_cursor: place ? encodePlace(record, place) : null }
}

/** The position where the next page continues: after the last group of a full page, else the next window or walk. */
function nextPlace(
  likeness: Likeness,
  { at }: Place,
  end: Place | undefined,
  cutAfter: Group | undefined | false,
): Place | undefined {
  return cutAfter ? cutAfter.place : (end ?? startOf(likeness, at + 1))
}

async function shownGroups(ctx: Context, record: AnyRecord, likeness: Likeness, groups: Group[]) {
  const listed = groups.map((group) => {
    const ids = group.rows.map(({ id }) => id)
    return { group, ids: ids.sort().slice(0, mostShown) }
  })
  const shape = shapeFor(ctx, record, shownFields(likeness))
  const all = listed.flatMap(({ ids }) => ids)
  const cells = all.length
    ? await ctx.cells(sql`select ${columnsFor(ctx, shape)} from ${sql.table(record.table)} t
        ${joinsFor(ctx, shape)} where ${mine(ctx)} and t.id = any(${all})`)
    : []
  const texts = await writeRows(ctx, shape, cells)
  const records = new Map(
    texts.map((text, i) => [cells[i]?.[0], JSON.parse(text) as { [field: string]: unknown }]),
  )
  return listed
    .map(({ group, ids }) => ({
      ...scoreOf(likeness, group),
      records_count: group.rows.length,
      records: ids.flatMap((id) => records.get(id) ?? []),
    }))
    .sort((a, b) => b.score - a.score)
}
