import type { Context } from '../../../kit/ground/context.ts'
import { badRequest, Failure, forbidden } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Work } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { readText } from '../../../kit/read/one.ts'
import { mayCreate, scope } from '../../../kit/record/scope.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import type { Written } from '../../../kit/write/write.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import { createMeeting } from '../create.ts'
import { dateAlone } from '../date-alone.ts'
import type { NewMeeting } from '../input.ts'
import { instantOf, updateBody } from '../input.ts'
import { repeatOf } from '../repeat.ts'
import { cancelByRemoval, removeMeeting } from '../remove.ts'
import { updateMeeting } from '../update.ts'
import type { Connection, Copy } from './connection.ts'
import { holdConnection } from './connection.ts'
import type { CalendarEvent, Item, Part } from './event.ts'
import { allGroups, differing, merged, withGroups } from './event.ts'
import { attendeesIn, bodyOf, eventOf, meetingOfUid, quiet } from './ours.ts'
import type { Remote } from './remote.ts'
import { faultOf, RemoteError } from './remote.ts'

/** How far back meetings are read and pushed, in days. */
export const daysBack = 30

/** How many entries are read at once. */
const batch = 50

/**
 * Reads what has changed in a calendar since the last time, and does the same to the meetings here: with the rights of
 * the person whose calendar it is. Every entry is a transaction of its own, and reading one again changes nothing.
 */
export async function pull(work: Work, remote: Remote, connection: Connection): Promise<void> {
  const { id, calendar_ref: calendar, sync_token } = connection
  if (calendar === null) return
  const changes = await remote.changes(calendar, sync_token).catch((error: unknown) => {
    if (!(error instanceof RemoteError) || error.what !== 'token_lost') throw error
    return remote.changes(calendar, null)
  })
  const known = new Map(
    (
      await work.reads.all<{ href: string; etag: string | null }>(sql`
        select t.href, min(t.etag) as etag from calendar_copies t
        where ${mine(work.reads)} and t.connection_id = ${id} group by t.href`)
    ).map(({ href, etag }) => [href, etag]),
  )
  const etags = new Map(changes.changed.map(({ href, etag }) => [href, etag]))
  const wanted = changes.changed
    .filter(({ href, etag }) => etag === null || known.get(href) !== etag)
    .map(({ href }) => href)
  const removed = new Set(changes.removed)
  if (changes.isWhole) {
    const there = new Set(changes.changed.map(({ href }) => href))
    for (const href of known.keys()) if (!there.has(href)) removed.add(href)
  }
  for (let from = 0; from < wanted.length; from += batch) {
    work.signal.throwIfAborted()
    const hrefs = wanted.slice(from, from + batch)
    await work.write((ctx) => holdConnection(ctx, id, work.id))
    const items = await readAll(remote, calendar, hrefs)
    for (const item of items) {
      const { href, etag } = item
      // one that could not even be asked for is known by what the list says of it
      await applyItem(work, connection, { ...item, etag: etag || (etags.get(href) ?? '') })
    }
    // removed since they were listed
    for (const href of hrefs) if (!items.some((each) => each.href === href)) removed.add(href)
  }
  for (const href of removed) {
    if (!known.has(href)) continue
    work.signal.throwIfAborted()
    await removeCopies(work, connection, href)
  }
  await work.write(async (ctx) => {
    await holdConnection(ctx, id, work.id)
    await ctx.run(sql`update calendar_connections t set sync_token = ${changes.token}
      where ${mine(ctx)} and t.id = ${id} and t.calendar_ref = ${calendar}`)
  })
}

/** The entries that are there; of an answer that is too large each is asked for alone, and left out if it is that by itself. */
async function readAll(remote: Remote, calendar: string, hrefs: string[]): Promise<Item[]> {
  const isTooLarge = (error: unknown) => error instanceof RemoteError && error.what === 'too_large'
  try {
    return await remote.read(calendar, hrefs)
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  const items: Item[] = []
  for (const href of hrefs) {
    try {
      items.push(...(await remote.read(calendar, [href])))
    } catch (error) {
      if (!isTooLarge(error)) throw error
      items.push({ href, uid: '', etag: '', parts: [], fault: 'is too large' })
    }
  }
  return items
}

/** Does to the meetings of an entry what was done to it there; what is refused here is undone there, or shown. */
export async function applyItem(work: Work, connection: Connection, item: Item): Promise<void> {
  const { fault } = item
  if (fault !== undefined) {
    return work.write((ctx) => leftOut(ctx, work.id, connection, item, fault))
  }
  // a series before its dates, which it leaves out
  const parts = item.parts.toSorted((a, b) => a.key.localeCompare(b.key))
  for (const part of parts) {
    try {
      await work.write((ctx) => applyPart(ctx, work.id, connection, item, part))
    } catch (error) {
      const failure = ownFailure(error)
      try {
        await work.write((ctx) => refused(ctx, work.id, connection, { item, part, failure }))
      } catch (second) {
        const { message } = ownFailure(second)
        await work.write((ctx) => leftOut(ctx, work.id, connection, item, message))
      }
    }
  }
  const keys = parts.map(({ key }) => key)
  await removeCopies(work, connection, item.href, keys)
}

/** What is wrong with one entry, as a refusal; any other error is thrown. */
function ownFailure(error: unknown): Failure {
  if (error instanceof Failure && error.status < 500) return error
  const fault = error instanceof RemoteError ? error.message : faultOf(error)
  if (fault === undefined) throw error
  return badRequest(fault)
}

/** Names an entry that cannot be read: meetings that it was before stay as they are, until it is changed there. */
async function leftOut(
  ctx: Context,
  job: string,
  connection: Connection,
  { href, uid, etag }: Item,
  problem: string,
): Promise<void> {
  await holdConnection(ctx, connection.id, job)
  const known = await ctx.run(sql`update calendar_copies t set etag = ${etag}, problem = ${problem}
    where ${mine(ctx)} and t.connection_id = ${connection.id} and t.href = ${href}`)
  if (known) return
  await ctx.run(sql`
    insert into calendar_copies (organization_id, id, connection_id, href, uid, etag, is_ours, problem)
    values (${ctx.organization.id}, ${newId()}, ${connection.id}, ${href}, ${uid}, ${etag}, false,
      ${problem})`)
}

/** A copy with the meeting that it is of, as the person may read it. */
async function copyAt(ctx: Context, connection: Connection, href: string, part: string) {
  return ctx.one<Copy>(sql`
    select ${copyColumns} from calendar_copies t
    where ${mine(ctx)} and t.connection_id = ${connection.id} and t.href = ${href}
      and t.part = ${part} for update`)
}

/** The columns of a copy, over `t`. */
export const copyColumns = sql`t.id, t.calendar_id, t.href, t.part, t.uid, t.etag, t.is_ours, t.state, t.version,
  t.ours, t.theirs`

async function applyPart(
  ctx: Context,
  job: string,
  connection: Connection,
  item: Item,
  part: Part,
): Promise<void> {
  await holdConnection(ctx, connection.id, job)
  const stored = await copyAt(ctx, connection, item.href, part.key)
  // what could not be a meeting before may be one now
  const isNew =
    stored?.calendar_id === null &&
    connection.reads === 'events' &&
    !isOver(ctx, part.event) &&
    !part.event.cancelled
  if (isNew) await dropCopy(ctx, stored.id)
  const copy = isNew || !stored ? await adopted(ctx, connection, item, part) : stored
  if (!copy) return readNew(ctx, connection, item, part)
  if (copy.calendar_id === null) return storeBusy(ctx, connection, item, part, copy.id)
  if (copy.state === 'dismissed') return
  const found = await meetingFor(ctx, copy.calendar_id)
  // deleted here, or no longer visible: that is done there next
  if (!found) return storeCopy(ctx, copy, { etag: item.etag, version: null })
  const ours = await eventOf(ctx, found.meeting)
  const theirs = part.event
  const { target, toOurs, toTheirs } = merged(copy, { ours, theirs })
  let { version } = found
  let now = ours
  if (toOurs.length) {
    const body = checked(bodyOf(target, toOurs))
    const at = copy.is_ours ? ctx : quiet(ctx)
    const written = await updateMeeting(at, copy.calendar_id, body)
    version = written.version
    now = await eventOf(ctx, JSON.parse(await written.json()) as MeetingRow)
  }
  await storeCopy(ctx, copy, {
    href: item.href,
    etag: item.etag,
    state: 'live',
    // what is still to be written there differs from its base
    ours: withGroups(now, theirs, toTheirs),
    theirs,
    version: toTheirs.length ? null : version,
  })
}

/** The meeting of an entry that is here already: pushed or read before, whose copy was not stored or is elsewhere. */
async function adopted(
  ctx: Context,
  connection: Connection,
  { href, uid, etag }: Item,
  { key }: Part,
): Promise<Copy | undefined> {
  const own = key === '' ? meetingOfUid(ctx, uid) : undefined
  const isOurs = meetingOfUid(ctx, uid) !== undefined
  const source = own ? undefined : sourceOf(uid, key)
  if (!isOurs && connection.reads !== 'events') return undefined
  const meeting = await ctx.one<{ id: string }>(sql`select t.id from meetings t
    where ${scope(ctx, Meeting, 'read')}
      and ${own ? sql`t.id = ${own}` : sql`t.source_reference = ${source}`}`)
  if (!meeting) return undefined
  const moved = await ctx.one<Copy>(sql`
    update calendar_copies t set href = ${href}, part = ${key}, etag = ${etag}
    where ${mine(ctx)} and t.connection_id = ${connection.id} and t.calendar_id = ${meeting.id}
    returning ${copyColumns}`)
  if (moved) return moved
  const copy: Copy = {
    id: newId(),
    calendar_id: meeting.id,
    href,
    part: key,
    uid,
    etag,
    is_ours: isOurs,
    state: 'live',
    version: null,
    // what began there is as it is there
    ours: own ? null : await eventOf(ctx, (await meetingFor(ctx, meeting.id))?.meeting ?? fail()),
    theirs: null,
  }
  await insertCopy(ctx, connection, copy)
  return copy
}

function fail(): never {
  throw new Error('a meeting that was just read is gone')
}

/** An entry that was not here before: a meeting, the time that it takes, or nothing, as its person has chosen. */
async function readNew(
  ctx: Context,
  connection: Connection,
  item: Item,
  part: Part,
): Promise<void> {
  const { reads } = connection
  const own = meetingOfUid(ctx, item.uid)
  if (own !== undefined) return readDate(ctx, connection, item, { part, series: own })
  if (reads === 'nothing') return
  const { event } = part
  if (reads === 'busy' || isOver(ctx, event) || event.cancelled) {
    return storeBusy(ctx, connection, item, part)
  }
  mayCreate(ctx, 'calendar')
  const body = { ...bodyOf(event, allGroups), is_private: true }
  checked(body)
  const calendar_id = newId()
  const written = await createMeeting(quiet(ctx), {
    ...(body as NewMeeting),
    calendar_id,
    attendees: await attendeesIn(ctx, part.people),
    source_ref_id: await freeSource(ctx, connection, item.uid, part.key),
  })
  await insertRead(ctx, connection, item, { part, written, calendar_id, is_ours: false })
}

type OfSeries = { part: Part; series: string }

/**
 * A date of a series of ours that its organizer has moved there becomes a meeting of its own, as a proposed time that is
 * accepted does. Nothing for a whole meeting, which its person does not see any more.
 */
async function readDate(
  ctx: Context,
  connection: Connection,
  item: Item,
  { part, series }: OfSeries,
): Promise<void> {
  const { key, event } = part
  const found = key === '' ? undefined : await meetingFor(ctx, series)
  if (!found || event.cancelled || isOver(ctx, event)) return
  const isOrganizer = await ctx.one(sql`select from meetings t
    where ${mine(ctx)} and t.id = ${series} and t.created_by = ${connection.user_id}`)
  if (!isOrganizer) throw forbidden('Only who organizes a series moves one of its dates')
  mayCreate(ctx, 'calendar')
  const { meeting } = found
  const body = checked(bodyOf(event, allGroups))
  const calendar_id = newId()
  const written = await createMeeting(
    ctx,
    {
      ...dateAlone(meeting),
      ...(body as NewMeeting),
      calendar_id,
      attendees: meeting.attendees.map((each) => {
        const isMe = each.type === 'user' && each.id === connection.user_id
        return isMe ? each : { ...each, response: 'needs_action' as const }
      }),
      source_ref_id: await freeSource(ctx, connection, item.uid, key),
    },
    meeting.attendees,
  )
  await insertRead(ctx, connection, item, { part, written, calendar_id, is_ours: true })
}

type NewCopy = { part: Part; written: Written; calendar_id: string; is_ours: boolean }

async function insertRead(
  ctx: Context,
  connection: Connection,
  { href, uid, etag }: Item,
  { part, written, calendar_id, is_ours }: NewCopy,
): Promise<void> {
  const { key, event: theirs } = part
  const { version } = written
  const ours = await eventOf(ctx, JSON.parse(await written.json()) as MeetingRow)
  const first = { id: newId(), calendar_id, href, part: key, uid, etag, is_ours }
  await insertCopy(ctx, connection, { ...first, state: 'live', version, ours, theirs })
}

function checked<B extends object>(body: B): B {
  checkBody({ ...updateBody, required: [] }, body as { [key: string]: unknown })
  return body
}

/** Whether it is longer ago than what is read. */
function isOver(ctx: Context, { end, rrule }: CalendarEvent): boolean {
  return rrule === null && Date.parse(end) < +ctx.now() - daysBack * 86_400_000
}

/** The reference by which `source-ref/` finds a meeting that was read: its UID, and the date of a series behind it. */
export function sourceOf(uid: string, key: string): string {
  const whole = key ? `${uid}/${key.replace('.000Z', 'Z')}` : uid
  return whole.length <= 230 ? whole : whole.slice(-230)
}

/** The same, unless a meeting that the person does not see has it: the same entry in a colleague's calendar. */
async function freeSource(ctx: Context, { user_id }: Connection, uid: string, key: string) {
  const source = sourceOf(uid, key)
  const taken = await ctx.one(sql`select t.id from meetings t
    where ${mine(ctx)} and t.source_reference = ${source} and t.deleted_at is null`)
  return taken ? `${source}#${user_id}` : source
}

/** Only when somebody is busy: nothing of what the entry says. */
async function storeBusy(
  ctx: Context,
  connection: Connection,
  item: Item,
  part: Part,
  id = newId(),
): Promise<void> {
  const { start, end, all_day, zone, rrule, exdates } = part.event
  const problem = rrule === null ? null : wrongRule(ctx, part.event, rrule)
  const isTaking = part.is_busy && !isOver(ctx, part.event) && problem === null
  const times = isTaking ? { start, end, all_day, zone, rrule, exdates } : null
  await ctx.run(sql`
    insert into calendar_copies (organization_id, id, connection_id, href, part, uid, etag, is_ours, theirs,
      problem)
    values (${ctx.organization.id}, ${id}, ${connection.id}, ${item.href}, ${part.key},
      ${item.uid}, ${item.etag}, false, ${times && JSON.stringify(times)}, ${problem})
    on conflict (organization_id, id) do update set etag = excluded.etag, theirs = excluded.theirs,
      problem = excluded.problem`)
}

/** What is wrong with a rule, by which nothing here may repeat; null for none. */
function wrongRule(ctx: Context, { start, zone, exdates }: CalendarEvent, rrule: string) {
  try {
    const clock = zone ?? ctx.organization.timezone
    repeatOf({ rrule, exdates }, instantOf(start, 'start', clock), clock)
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return faultOf(error) ?? error.message
  }
}

type Refused = { item: Item; part: Part; failure: Failure }

/** What could not be done here: undone there where it is a meeting of ours, else named in the list of problems. */
async function refused(
  ctx: Context,
  job: string,
  connection: Connection,
  { item, part, failure }: Refused,
): Promise<void> {
  await holdConnection(ctx, connection.id, job)
  const problem = faultOf(failure) ?? failure.message
  const copy = await copyAt(ctx, connection, item.href, part.key)
  const found = copy?.calendar_id ? await meetingFor(ctx, copy.calendar_id) : undefined
  if (!copy || !found) {
    await storeBusy(ctx, connection, item, part, copy?.id)
    await ctx.run(sql`update calendar_copies t set problem = ${problem}
      where ${mine(ctx)} and t.connection_id = ${connection.id} and t.href = ${item.href}
        and t.part = ${part.key}`)
    return
  }
  const ours = await eventOf(ctx, found.meeting)
  const theirs = part.event
  const differs = differing(ours, theirs)
  await storeCopy(ctx, copy, {
    etag: item.etag,
    theirs,
    // everything that differs is written there again, unless that was what is wrong with it
    ours: failure.status === 400 ? ours : withGroups(ours, theirs, differs),
    version: failure.status === 400 || !differs.length ? found.version : null,
    problem: failure.status === 400 ? problem : null,
  })
}

/**
 * What was removed there is removed here: a meeting by whoever organizes it, who finds it in the bin; for everybody else
 * only their copy, which is not pushed again. With `but` only dates that are not among these.
 */
export async function removeCopies(
  work: Work,
  connection: Connection,
  href: string,
  but: string[] = [],
): Promise<void> {
  const gone = await work.reads.all<{ id: string }>(sql`select t.id from calendar_copies t
    where ${mine(work.reads)} and t.connection_id = ${connection.id} and t.href = ${href}
      and t.part <> all(${but}::text[]) order by t.part desc`)
  for (const { id } of gone) {
    try {
      await work.write((ctx) => removeCopy(ctx, work.id, connection, id, true))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await work.write((ctx) => removeCopy(ctx, work.id, connection, id, false))
    }
  }
}

async function removeCopy(
  ctx: Context,
  job: string,
  connection: Connection,
  id: string,
  isOrganizer: boolean,
): Promise<void> {
  await holdConnection(ctx, connection.id, job)
  const copy = await ctx.one<Copy & { is_mine: boolean; is_gone: boolean }>(sql`
    select ${copyColumns}, coalesce(m.created_by = ${connection.user_id}, false) as is_mine,
      m.deleted_at is not null as is_gone
    from calendar_copies t
    left join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${mine(ctx)} and t.id = ${id} for update of t`)
  if (!copy) return
  const { calendar_id, is_mine, is_gone, is_ours, state } = copy
  if (state !== 'live' && calendar_id !== null && !is_gone) return
  if (calendar_id === null || is_gone) return dropCopy(ctx, id)
  if (!is_mine || !isOrganizer) {
    return storeCopy(ctx, copy, { state: 'dismissed', etag: null })
  }
  await dropCopy(ctx, id)
  if (is_ours) await cancelByRemoval(ctx, calendar_id)
  else await removeMeeting(quiet(ctx), calendar_id)
}

/** A meeting with its version, as the person may read it; undefined if they may not, or it is deleted. */
export async function meetingFor(
  ctx: Context,
  id: string,
): Promise<{ meeting: MeetingRow; version: number } | undefined> {
  const found = await ctx.one<{ version: number }>(sql`select t.version from meetings t
    where ${scope(ctx, Meeting, 'read')} and t.id = ${id}`)
  if (!found) return undefined
  return { meeting: JSON.parse(await readText(ctx, Meeting, id)) as MeetingRow, ...found }
}

export async function dropCopy(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from calendar_copies t where ${mine(ctx)} and t.id = ${id}`)
}

export async function insertCopy(
  ctx: Context,
  { id: connection_id }: Connection,
  copy: Copy,
): Promise<void> {
  const json = (event: object | null) => event && JSON.stringify(event)
  await ctx.run(sql`
    insert into calendar_copies (organization_id, id, connection_id, calendar_id, href, part, uid, etag,
      is_ours, state, version, ours, theirs)
    values (${ctx.organization.id}, ${copy.id}, ${connection_id}, ${copy.calendar_id}, ${copy.href},
      ${copy.part}, ${copy.uid}, ${copy.etag}, ${copy.is_ours}, ${copy.state}, ${copy.version},
      ${json(copy.ours)}, ${json(copy.theirs)})`)
}

/** Stores what is known of a copy now. */
export async function storeCopy(
  ctx: Context,
  copy: Copy,
  changes: Partial<Copy> & { problem?: string | null },
): Promise<void> {
  const next = { ...copy, ...changes }
  const json = (event: object | null) => event && JSON.stringify(event)
  await ctx.run(sql`update calendar_copies t set href = ${next.href}, etag = ${next.etag},
      state = ${next.state}, version = ${next.version}, ours = ${json(next.ours)},
      theirs = ${json(next.theirs)}, problem = ${changes.problem ?? null}
    where ${mine(ctx)} and t.id = ${copy.id}`)
}
