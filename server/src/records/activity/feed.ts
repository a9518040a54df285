import type { Context, Query } from '../../kit/context.ts'
import { modules, moduleWord } from '../../kit/modules.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import { Answer } from '../../kit/operation.ts'
import { arrayOf } from '../../kit/schema.ts'
import { mine, sql } from '../../kit/sql.ts'

/** One entry of the activity log as it is read (specification 2.3, ActivityLog). */
type Entry = {
  log_id: string
  title: string
  raw_description: { [key: string]: unknown }
  description: string | null
  html_description: string | null
  created_by: { user_id: string; full_name: string } | null
  icon: string
  time_ago: string
  avatar: string | null
  module_id: number | null
  module_name: string | null
  reference_id: string | null
  source: string
  changes: { field: string; from: unknown; to: unknown }[]
  creation_time: string
}

const nullableText = { type: ['string', 'null'] }

const entrySchema = {
  type: 'object',
  properties: {
    log_id: { type: 'string', maxLength: 25 },
    title: { type: 'string' },
    raw_description: { type: 'object' },
    description: nullableText,
    html_description: nullableText,
    created_by: { type: ['object', 'null'] },
    icon: { type: 'string' },
    time_ago: { type: 'string' },
    avatar: nullableText,
    module_id: { type: ['integer', 'null'] },
    module_name: nullableText,
    reference_id: nullableText,
    source: { type: 'string' },
    changes: { type: 'array' },
    creation_time: { type: 'string', format: 'date-time' },
  },
  required: ['log_id', 'title', 'raw_description', 'created_by', 'time_ago', 'creation_time'],
}

/** What the caller did, and what was done to their profile; newest first. */
export const ownFeed: Operation = {
  name: 'list_own_activity',
  summary: 'List your own activity, newest first',
  can: 'signed_in',
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1, maximum: 2_000_000_000, description: 'page, from 1' },
        items_per_page: {
          type: 'integer',
          minimum: 1,
          maximum: 500,
          description: 'records a page',
        },
        sort: { type: 'string', enum: ['creation_time'], description: 'the field to sort by' },
        reverse: { type: 'boolean', description: 'oldest first; with sort, newest first' },
      },
    },
  },
  output: arrayOf(entrySchema),
  async run(ctx: Context, { query }: Input) {
    const { page = 1, items_per_page = 25, sort, reverse = false } = query
    const me = ctx.actor.user_id
    const descends = sort ? reverse : !reverse
    const skip = (page - 1) * items_per_page
    const limit = items_per_page + 1
    const order = sql.raw(`order by t.id ${descends ? 'desc' : 'asc'}`)
    // each branch has an index of its own; an OR would read the whole log
    const own = sql`t.id in (
      (select t.id from events t where ${mine(ctx)} and t.actor_id = ${me}
        ${order} limit ${skip + limit})
      union
      (select t.id from events t where ${mine(ctx)} and t.module_id = ${modules.users}
        and t.reference_id = ${me} ${order} limit ${skip + limit}))`
    const entries = await readEntries(ctx, own, { descends, limit, skip })
    const more = entries.length > items_per_page
    if (more) entries.pop()
    return new Answer(entries, { page: { number: page, size: items_per_page, more } })
  },
}

type Slice = { descends: boolean; limit: number; skip: number }

/** Entries of the organization's log under a condition over `t`. */
async function readEntries(ctx: Context, condition: Query, slice: Slice): Promise<Entry[]> {
  const { descends, limit, skip } = slice
  const rows = await ctx.all<Entry & { actor_id: string | null; actor_name: string }>(sql`
    select t.id as log_id, t.title, coalesce(t.raw_description, '{}') as raw_description,
      t.description, t.html_description, t.actor_id, t.actor_name, p.profile_image as avatar,
      t.module_id, t.reference_id, t.source, coalesce(t.changes, '[]') as changes,
      t.occurred_at as creation_time
    from events t
    left join people p on p.organization_id = t.organization_id and p.id = t.actor_id
    where ${mine(ctx)} and ${condition}
    order by t.id ${sql.raw(descends ? 'desc' : 'asc')} limit ${limit} offset ${skip}`)
  return rows.map(({ actor_id, actor_name, ...row }) => ({
    ...row,
    created_by: actor_id ? { user_id: actor_id, full_name: actor_name } : null,
    icon: icons[String(row.raw_description.action)] ?? 'icon-activity',
    time_ago: timeAgo(+ctx.now() - Date.parse(row.creation_time)),
    module_name: row.module_id === null ? null : (moduleWord(row.module_id) ?? null),
  }))
}

const icons: { [action: string]: string } = {
  created: 'icon-plus',
  updated: 'icon-pencil',
  deleted: 'icon-trash',
  restored: 'icon-undo',
  deactivated: 'icon-user-off',
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Milliseconds ago in words: `3 minutes ago`, `yesterday`, `now`. */
function timeAgo(ms: number): string {
  for (const [unit, length] of units) {
    if (ms >= length) return words.format(-Math.floor(ms / length), unit)
  }
  return words.format(0, 'second')
}
