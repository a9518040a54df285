import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { StoredEvent } from '../../kit/ground/event.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { testSource } from '../../webhooks/message.ts'
import { changeModules, eachChange } from '../application/live/changes.ts'
import { overlapMs } from '../application/stream.ts'
import { shortChanges } from '../application/live/tail.ts'

/** Events of a page, which may be more so that a write is whole, and what is read beyond for that: of a plan far more. */
const mostEvents = 500
const beyond = { usual: 50, most: 5000 }

const change = Type.Object(
  {
    change_id: Type.String({ description: 'the same however often it is read' }),
    module: enumeration(changeModules, { title: 'ChangedModule' }),
    id: Type.String({ description: 'of the record' }),
    type: enumeration(['created', 'updated', 'deleted'], { title: 'ChangeType' }),
    version: orNull(Type.Integer({ description: 'of the record after the change' })),
    fields: Type.Array(Type.String(), { description: 'what changed, as far as you may read it' }),
    actor_id: orNull(Type.String({ description: 'the user who changed it' })),
    changed_at: Type.String({ format: 'date-time', description: 'when it was written' }),
  },
  { title: 'RecordChange' },
)

/**
 * GET changes: what was written since a cursor. A cursor is the snapshot of the read before: what that did not see and
 * this one does comes now, however late its transaction was committed, and nothing comes twice.
 */
export const listChanges = operation({
  name: 'list_changes',
  summary: 'List changes',
  description:
    'Creations, updates and deletions of the records that you and the app may read, in the order of their commits, each write once. Without `since` there are none: the answer has the cursor from which they are listed; a time lists what was written from then on. Read the records after it, then ask again with each `next_cursor`, at once while `has_more`.',
  can: 'signed_in',
  scope: null,
  writes: false,
  input: {
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          maxLength: 20_000,
          description: 'next_cursor of the previous answer, or a time',
        }),
      ),
      modules: Type.Optional(
        Type.String({ maxLength: 500, description: 'only of these, separated by commas' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostEvents,
          description: 'writes per page (100), or a few more',
        }),
      ),
    }),
  },
  output: Type.Object({
    results: Type.Array(change),
    next_cursor: Type.String(),
    has_more: Type.Boolean({ description: 'whether more stands ready now' }),
  }),
  async run(ctx, { query: { since, modules, limit = 100 } }) {
    const only = modules ? modulesIn(modules) : undefined
    const position = since ? positionIn(since, ctx.organization.timezone) : undefined
    // before the snapshot: whoever is still writing then has begun before it
    const lowest = await lowestId(ctx)
    const { database, snapshot, page, has_more } = await wholePage(ctx, position, limit)
    if (!position) {
      const next_cursor = cursorOf({ database, seen: snapshot, after: lowest })
      return { results: [], next_cursor, has_more: false }
    }
    if (
      (position.database ?? database) !== database ||
      highest(position.seen) > highest(snapshot)
    ) {
      throw badField('since', 'is of a database that was replaced: begin again without it')
    }
    const until = position.until ?? snapshot
    const lowestNext = position.lowestNext ?? lowest
    const last = page.at(-1)
    const next = has_more
      ? { ...position, database, after: last?.id ?? position.after, until, lowestNext }
      : { database, seen: until, after: lowestNext }
    const times = new Map(page.map(({ id, occurred_at }) => [id, occurred_at]))
    const changes = await eachChange(ctx, page, only)
    const results = changes.map(({ id, data }) => {
      return { change_id: id, ...data, changed_at: times.get(id) ?? '' }
    })
    return { results, next_cursor: cursorOf(next), has_more }
  },
})

/** Where a reader is: the snapshot up to which it has read, and within the next one the last event. */
type Position = {
  /** the database whose transactions the snapshots count; of a time none is meant */
  database?: string
  /** what it shows has been read */
  seen: string
  /** nothing that `seen` does not show has a lower id */
  after: string
  /** the snapshot that is being read page by page, and the lowest id of what it does not show */
  until?: string | undefined
  lowestNext?: string | undefined
}

type Stored = StoredEvent & { occurred_at: string }

/**
 * The id below which everything is committed: ids have the time at which an event was written. When others have begun may
 * be hidden from the role of the service; no transaction of it lasts an hour.
 */
async function lowestId(ctx: Context): Promise<string> {
  const row = await ctx.one<{ oldest: string }>(sql`
    select least(now(), min(coalesce(a.xact_start, now() - interval '1 hour'))) as oldest from pg_stat_activity a
    where a.backend_xid is not null`)
  const oldest = new Date(row?.oldest ?? ctx.now())
  // clocks of processes differ
  return firstIdAt(new Date(+oldest - overlapMs))
}

/** A page after a position, and whether more comes behind it; read again with more where a write goes on beyond it. */
async function wholePage(
  ctx: Context,
  position: Position | undefined,
  limit: number,
  most = limit + beyond.usual,
) {
  const read = await eventsAfter(ctx, position, most)
  const { events } = read
  const page = wholeWrites(events, limit)
  const isCut = page.length === most
  if (isCut && most < limit + beyond.most) {
    return wholePage(ctx, position, limit, limit + beyond.most)
  }
  return { ...read, page, has_more: isCut || page.length < events.length }
}

/** The first events after a position, by id, with the snapshot that the read had; none without a position. */
async function eventsAfter(
  ctx: Context,
  position: Position | undefined,
  most: number,
): Promise<{ database: string; snapshot: string; events: Stored[] }> {
  const { after, seen, until } = position ?? {}
  const unread = position
    ? sql`e.id > ${after} and not pg_visible_in_snapshot(e.written_in, ${seen}::pg_snapshot)
        and (${until ?? null}::text is null
          or pg_visible_in_snapshot(e.written_in, ${until ?? null}::pg_snapshot))`
    : sql`false`
  const rows = await ctx.all<Stored & { snapshot: string; database: string }>(sql`
    select pg_current_snapshot()::text as snapshot, d.system_identifier::text as database, e.*
    from pg_control_system() d left join lateral (
      select e.id, e.type, e.module_id, e.raw_description ->> 'module' as module,
        e.raw_description ->> 'action' as action, e.reference_id, e.record_version as version,
        e.actor_id, e.occurred_at, ${shortChanges} as changes
      from events e
      where ${mine(ctx, 'e')} and ${unread} and e.source <> ${testSource}
        and e.reference_id is not null and (e.type is not null or e.record_version is not null)
      order by e.id limit ${most}
    ) e on true`)
  const [first] = rows
  if (!first) throw new Error('a database has an identifier')
  const { snapshot, database } = first
  return { snapshot, database, events: first.id ? rows : [] }
}

/** At least so many events, up to the last one of each write among them, which follow each other closely. */
function wholeWrites(events: Stored[], least: number): Stored[] {
  const writeOf = ({ reference_id, version, id }: Stored) => `${reference_id} ${version ?? id}`
  const begun = new Set<string>()
  let end = Math.min(least, events.length)
  for (const [i, event] of events.entries()) {
    if (i < end) begun.add(writeOf(event))
    else if (begun.has(writeOf(event))) {
      for (const between of events.slice(end, i)) begun.add(writeOf(between))
      end = i + 1
    }
  }
  return events.slice(0, end)
}

function modulesIn(text: string): string[] {
  const named = text.split(',').map((word) => word.trim())
  const unknown = named.find((word) => !changeModules.includes(word))
  if (unknown === undefined) return named
  throw badField('modules', `has ${JSON.stringify(unknown)}; there are ${changeModules.join(', ')}`)
}

function cursorOf(position: Position & { database: string }): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Before any transaction: whatever is committed has not been seen. */
const seenNothing = '1:1:'

/** The position of a cursor or of a time; 400 for a text that is neither. */
function positionIn(cursor: string, timezone: string): Position {
  const time = parseInstant(cursor, timezone)
  if (time !== undefined) return { seen: seenNothing, after: firstIdAt(new Date(time)) }
  const wrong = badField('since', 'must be the next_cursor of a list of changes, or a time')
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong
  }
  const { database, seen, after, until, lowestNext } = (decoded ?? {}) as {
    [name in keyof Position]?: unknown
  }
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && /^[0-9a-z]{1,25}$/.test(value)
  const isOther = (until === undefined) !== (lowestNext === undefined)
  if (!isText(database) || !isText(after) || !isSnapshot(seen) || isOther) throw wrong
  if (until === undefined) return { database, after, seen }
  if (!isSnapshot(until) || !isText(lowestNext)) throw wrong
  return { database, after, seen, until, lowestNext }
}

/** Whether PostgreSQL takes a text as a snapshot: `xmin:xmax:` and the transactions between that were running. */
function isSnapshot(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/.test(value)) {
    return false
  }
  const [least, end, running] = value.split(':') as [string, string, string]
  const xmin = BigInt(least)
  const xmax = BigInt(end)
  if (xmin < 1n || xmax < xmin) return false
  const ids = running ? running.split(',').map(BigInt) : []
  return ids.every((id, i) => id >= xmin && id < xmax && id > (ids[i - 1] ?? 0n))
}

/** The first transaction that a snapshot does not know. */
function highest(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0)
}
