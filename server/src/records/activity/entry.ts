import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Cells, Context, Query } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import { isObject } from '../../kit/ground/object.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isoFromPostgres } from '../../kit/ground/time.ts'
import { turns } from '../../kit/ground/turns.ts'
import { fitting } from '../../kit/read/json.ts'
import { withVisibleChanges } from './visible-changes.ts'
import { sayChanges } from './said.ts'
import type { EntryParts, Said } from './sentence.ts'
import { describe } from './sentence.ts'

const change = Type.Object(
  { field: Type.String(), from: Type.Unknown(), to: Type.Unknown() },
  { title: 'FieldChange' },
)

/** One entry of the activity log as it is read (specification 2.3, ActivityLog). */
export const entrySchema = Type.Object(
  {
    log_id: Type.String({ maxLength: 25 }),
    title: Type.String(),
    raw_description: schema<{ [key: string]: unknown }>({
      type: 'object',
      additionalProperties: true,
    }),
    description: Type.String(),
    html_description: Type.String(),
    created_by: orNull(Type.Object({ user_id: Type.String(), full_name: Type.String() })),
    icon: Type.String(),
    time_ago: Type.String(),
    avatar: orNull(Type.String()),
    type: orNull(Type.String({ description: 'the event, such as company_updated' })),
    module_id: orNull(Type.Integer()),
    module_name: orNull(Type.String()),
    reference_id: orNull(Type.String()),
    source: Type.String(),
    changes: Type.Array(change),
    creation_time: schema<string>({ type: 'string', format: 'date-time' }),
  },
  { title: 'ActivityLog' },
)

/** The member under which `raw_description` holds what a caller wrote. */
const written = 'written_by_caller'

/**
 * What a caller wrote, as `raw_description` stores it: apart from the members by which the service itself
 * says what happened, such as the steps of a signature, so that nobody can write those.
 */
export function writtenByCaller(raw: { [key: string]: unknown }): { [key: string]: unknown } {
  return { [written]: raw }
}

/**
 * One entry of the activity log as JSON text; `id` orders the log, `log_id` is what callers see, and `said` are its
 * changes in words.
 */
export type Entry = { id: string; log_id: string; text: string; said: Said[] }

type Slice = { descends?: boolean; limit?: number; skip?: number }

type EntryRow = Omit<EntryParts, 'said'> & {
  changes: Change[]
  log_id: string
  actor_id: string | null
  avatar: string | null
  type: string | null
  reference_id: string | null
  source: string
  creation_time: string
}

/**
 * Entries of the organization's log that meet a condition over `e`, newest first, in one query. Fewer, with
 * `isCut`, if they would exceed the size of a page. Entries may contain large JSON of their authors, so
 * this yields to other requests in between.
 */
export async function readEntries(
  ctx: Context,
  condition: Query,
  slice: Slice = {},
): Promise<{ entries: Entry[]; isCut: boolean }> {
  const { descends = true, limit = 1, skip = 0 } = slice
  const order = sql.raw(`order by e.id ${descends ? 'desc' : 'asc'}`)
  const { pageBytes } = ctx.limits
  const found = await ctx.page(
    sql`
    select e.id, coalesce(e.log_id, e.id), e.title, coalesce(e.raw_description, '{}'),
      e.description, e.html_description, e.actor_id, e.actor_name, p.profile_image, e.type,
      e.module_id, e.reference_id, e.source, coalesce(e.changes, '[]'), e.occurred_at
    from (
      select e.* from events e where ${mine(ctx, 'e')} and ${condition}
      ${order} limit ${limit} offset ${skip}
    ) e left join people p on p.organization_id = $organization and p.id = e.actor_id
    ${order}`,
    pageBytes,
  )
  const turn = turns()
  const rows: EntryRow[] = []
  for (const cells of found.rows) {
    await turn(sizeOf(cells))
    rows.push(rowOf(cells))
  }
  const texts: string[] = []
  const visible = await withVisibleChanges(ctx, rows)
  const said = await sayChanges(ctx, visible)
  for (const [i, row] of visible.entries()) {
    await turn(sizeOf(found.rows[i] ?? []))
    texts.push(JSON.stringify(shown(row, said.get(row) ?? [], ctx.now())))
  }
  const words = visible.map((row) => said.get(row) ?? [])
  const fit = fitting(texts, pageBytes)
  const entries = fit.map((text, i) => ({
    id: found.rows[i]?.[0] ?? '',
    log_id: rows[i]?.log_id ?? '',
    text,
    said: words[i] ?? [],
  }))
  return { entries, isCut: found.isCut || fit.length < texts.length }
}

/** The length of the row's columns that may be long. */
function sizeOf(cells: Cells): number {
  return cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)
}

function rowOf([, ...cells]: Cells): EntryRow {
  const [log_id, title, raw, description, html, actor_id, actor_name, avatar, ...more] = cells
  const [type, module_id, reference_id, source, changes, at] = more
  return {
    log_id: log_id ?? '',
    title: title ?? '',
    raw_description: JSON.parse(raw ?? '{}') as EntryRow['raw_description'],
    description: description ?? null,
    html_description: html ?? null,
    actor_id: actor_id ?? null,
    actor_name: actor_name ?? '',
    avatar: avatar ?? null,
    type: type ?? null,
    module_id: module_id ? Number(module_id) : null,
    reference_id: reference_id ?? null,
    source: source ?? '',
    changes: JSON.parse(changes ?? '[]') as EntryRow['changes'],
    creation_time: isoFromPostgres(at ?? ''),
  }
}

function shown(row: EntryRow, said: Said[], now: Date): Static<typeof entrySchema> {
  const { actor_id, actor_name, ...same } = row
  return {
    ...same,
    ...describe({ ...row, said }),
    raw_description: asWritten(row.raw_description),
    created_by: actor_id ? { user_id: actor_id, full_name: actor_name } : null,
    icon: iconOf(row),
    time_ago: timeAgo(+now - Date.parse(row.creation_time)),
    module_name: row.module_id === null ? null : (moduleWord(row.module_id) ?? null),
  }
}

/** What callers wrote is read as they sent it. */
function asWritten(raw: EntryRow['raw_description']): EntryRow['raw_description'] {
  const own = raw[written]
  return isObject(own) ? own : raw
}

function iconOf({ type, raw_description }: EntryRow): string {
  if (type === engagement) return 'icon-pulse'
  const { action } = raw_description
  // older entries contain what callers wrote, which may even be an object that cannot be converted to text
  const icon = typeof action === 'string' && Object.hasOwn(icons, action) ? icons[action] : null
  return icon ?? 'icon-activity'
}

/** The type of entries that `track` stores. */
export const engagement = 'engagement_tracked'

const icons: { [action: string]: string } = {
  created: 'icon-plus',
  updated: 'icon-pencil',
  deleted: 'icon-trash',
  restored: 'icon-undo',
  deactivated: 'icon-user-off',
  connected: 'icon-link',
  disconnected: 'icon-unlink',
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A time so many milliseconds ago, in words: `3 minutes ago`, `yesterday`, `now`. */
function timeAgo(ms: number): string {
  for (const [unit, length] of units) {
    if (ms >= length) return words.format(-Math.floor(ms / length), unit)
  }
  return words.format(0, 'second')
}
