import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Work } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import type { Connection, Copy } from './connection.ts'
import { holdConnection } from './connection.ts'
import type { CalendarEvent, Item } from './event.ts'
import { merged, withGroups } from './event.ts'
import { takeCall } from './calls.ts'
import { eventOf, ownUid } from './ours.ts'
import {
  applyItem,
  copyColumns,
  daysBack,
  dropCopy,
  insertCopy,
  meetingFor,
  removeCopies,
  storeCopy,
} from './pull.ts'
import type { Remote } from './remote.ts'
import { faultOf, RemoteError } from './remote.ts'

/** A meeting that is not there as it is here. */
type Pending = {
  calendar_id: string
  version: number
  /** whether it belongs there: its person sees it and takes part, and it takes place */
  is_wanted: boolean
  is_visible: boolean
  copy: Copy | null
}

/** How many are looked up at once, and how often one is tried that others change at the same time. */
const batch = 50
const attempts = 4

/** Writes to a calendar what has changed here, until both are the same. */
export async function push(work: Work, remote: Remote, connection: Connection): Promise<void> {
  const { calendar_ref: calendar } = connection
  if (calendar === null) return
  const tried = new Set<string>()
  for (;;) {
    const found = (await pendingOf(work.reads, connection)).filter(
      ({ calendar_id, version }) => !tried.has(`${calendar_id} ${version}`),
    )
    if (!found.length) return
    for (const pending of found) {
      tried.add(`${pending.calendar_id} ${pending.version}`)
      work.signal.throwIfAborted()
      await work.write((ctx) => holdConnection(ctx, connection.id, work.id))
      await pushOne(work, { remote, connection, calendar }, pending)
    }
  }
}

/** The meetings that belong into a calendar and are not there yet, or have changed since. */
function pendingOf(ctx: Context, { id, user_id, slot }: Connection): Promise<Pending[]> {
  const flag = sql.ref(`t.push_to_calendar_${slot}`)
  const since = new Date(+ctx.now() - daysBack * 86_400_000).toISOString()
  const wanted = sql`(${flag} and (t.created_by = ${user_id} or exists (
    select from jsonb_array_elements(t.attendees) a where a ->> 'type' = 'user'
      and a ->> 'id' = ${user_id} and a ->> 'response' <> 'declined')))`
  const visible = scope(ctx, Meeting, 'read')
  return ctx.all<Pending>(sql`
    select t.id as calendar_id, t.version, (${visible}) as is_visible,
      (${visible}) and not t.is_meeting_cancelled and (c.is_ours is false or ${wanted}) as is_wanted,
      case when c.id is null then null else json_build_object('id', c.id, 'calendar_id', t.id,
        'href', c.href, 'part', c.part, 'uid', c.uid, 'etag', c.etag, 'is_ours', c.is_ours,
        'state', c.state, 'version', c.version, 'ours', c.ours, 'theirs', c.theirs) end as copy
    from meetings t
    left join calendar_copies c on c.organization_id = $organization
      and c.connection_id = ${id} and c.calendar_id = t.id
    where ${mine(ctx)} and (
      (c.id is not null and c.state <> 'dismissed' and c.version is distinct from t.version)
      or (c.id is null and ${flag} and ${visible} and ${wanted} and not t.is_meeting_cancelled
        and (t.repeat is not null or t.ends_at > ${since})))
    order by t.last_update_time, t.id limit ${batch}`)
}

type Place = { remote: Remote; connection: Connection; calendar: string }

async function pushOne(work: Work, place: Place, pending: Pending): Promise<void> {
  try {
    if (pending.is_wanted) await writeThere(work, place, pending)
    else if (pending.copy) await removeThere(work, place, pending, pending.copy)
  } catch (error) {
    // one that the server does not take does not hold up the others
    const isItsOwn =
      error instanceof RemoteError &&
      ['no_right', 'unexpected', 'conflict', 'too_large'].includes(error.what)
    const fault = isItsOwn ? error.message : faultOf(error)
    if (fault === undefined) throw error
    await work.write((ctx) => notTaken(ctx, place.connection, pending, fault))
  }
}

async function writeThere(work: Work, place: Place, { calendar_id }: Pending): Promise<void> {
  const { remote, connection, calendar } = place
  for (let attempt = 1; ; attempt++) {
    const copy = await copyOf(work.reads, connection, calendar_id)
    const found = await meetingFor(work.reads, calendar_id)
    if (!found) return
    const ours = await eventOf(work.reads, found.meeting)
    const isThere = copy && copy.state === 'live' && copy.etag !== null
    try {
      if (!isThere) {
        const writing = {
          name: calendar_id,
          uid: ownUid(work.reads, calendar_id),
          parts: [{ key: '', event: ours }],
          wantsCall: wantsCall(found.meeting),
        }
        const item = await remote.write(calendar, writing)
        await stored(work, connection, { copy, calendar_id, ours, item, version: found.version })
        return
      }
      const [item] = await remote.read(calendar, [copy.href])
      const part = item?.parts.find(({ key }) => key === copy.part)
      if (!item) return await removeCopies(work, connection, copy.href)
      checkRead(item)
      // changed there meanwhile: that comes first
      if (item.etag !== copy.etag || !part) {
        await applyItem(work, connection, item)
        if (attempt > attempts) throw new RemoteError('conflict', 'It changes there all the time')
        continue
      }
      if (copy.part !== '' && ours.rrule !== null) {
        throw new RemoteError('unexpected', 'One date of a series cannot repeat there')
      }
      const { toTheirs } = merged(copy, { ours, theirs: part.event })
      const next = withGroups(part.event, ours, toTheirs)
      const parts = item.parts.map((each) =>
        each.key === copy.part ? { key: each.key, event: next } : each,
      )
      const isCalled = wantsCall(found.meeting) && copy.part === '' && !part.event.link
      const after =
        toTheirs.length || isCalled
          ? await remote.write(calendar, {
              name: calendar_id,
              uid: item.uid,
              parts,
              before: item,
              wantsCall: isCalled,
            })
          : item
      await stored(work, connection, {
        copy,
        calendar_id,
        ours,
        item: after,
        version: found.version,
      })
      return
    } catch (error) {
      const isConflict = error instanceof RemoteError && error.what === 'conflict'
      if (!isConflict || attempt > attempts) throw error
      // it is there already, from an attempt whose end was lost
      const items = isThere ? [] : await remote.read(calendar, [remote.nameOf(calendar_id)])
      for (const item of items) await applyItem(work, connection, item)
    }
  }
}

/** An entry that cannot be read is not written either: what it has besides would be lost. */
function checkRead({ fault }: Item): void {
  if (fault !== undefined) throw new RemoteError('unexpected', fault)
}

async function removeThere(work: Work, place: Place, pending: Pending, copy: Copy): Promise<void> {
  const { remote, connection, calendar } = place
  if (copy.state === 'live' && copy.etag !== null) {
    if (copy.part === '') await remote.remove(calendar, copy.href)
    else await removePart(work, place, copy)
  }
  await work.write(async (ctx) => {
    await holdConnection(ctx, connection.id, work.id)
    // cancelled, so that it may take place after all
    if (pending.is_visible) {
      await storeCopy(ctx, copy, { state: 'cancelled', version: pending.version, etag: null })
    } else await dropCopy(ctx, copy.id)
  })
}

/** Whether a meeting is to get the address of a video call, which it has none of. */
function wantsCall({ is_video_conference, link }: MeetingRow): boolean {
  return is_video_conference && !link
}

/** Leaves a date out of a series there. */
async function removePart(work: Work, { remote, connection, calendar }: Place, copy: Copy) {
  for (let attempt = 1; ; attempt++) {
    const [item] = await remote.read(calendar, [copy.href])
    if (item) checkRead(item)
    if (!item?.parts.some(({ key }) => key === copy.part)) return
    const parts = item.parts.filter(({ key }) => key !== copy.part)
    try {
      const after = await remote.write(calendar, {
        name: copy.href,
        uid: item.uid,
        parts,
        before: item,
      })
      await work.write((ctx) => seen(ctx, connection, item, after))
      return
    } catch (error) {
      const isConflict = error instanceof RemoteError && error.what === 'conflict'
      if (!isConflict || attempt > attempts) throw error
    }
  }
}

/** After a write there: what is there now is known to all copies of the entry that were up to date. */
async function seen(ctx: Context, { id }: Connection, before: Item, after: Item): Promise<void> {
  await ctx.run(sql`update calendar_copies t set etag = ${after.etag}
    where ${mine(ctx)} and t.connection_id = ${id} and t.href = ${after.href}
      and t.etag = ${before.etag}`)
}

type Stored = {
  copy: Copy | undefined
  calendar_id: string
  ours: CalendarEvent
  item: Item
  version: number
}

async function stored(
  work: Work,
  connection: Connection,
  { copy, calendar_id, ours, item, version }: Stored,
): Promise<void> {
  const theirs = item.parts.find(({ key }) => key === (copy?.part ?? ''))?.event ?? ours
  await work.write(async (ctx) => {
    await holdConnection(ctx, connection.id, work.id)
    const { href, etag, uid } = item
    const called = theirs.link ? await takeCall(ctx, calendar_id, theirs.link) : undefined
    if (called) {
      version = called.version
      ours = { ...ours, link: theirs.link }
    }
    if (copy) {
      await storeCopy(ctx, copy, { href, etag, ours, theirs, version, state: 'live' })
      await ctx.run(sql`update calendar_copies t set etag = ${etag}
        where ${mine(ctx)} and t.connection_id = ${connection.id} and t.href = ${href}
          and t.etag = ${copy.etag}`)
      return
    }
    const first = { id: newId(), calendar_id, href, part: '', uid, etag, is_ours: true }
    await insertCopy(ctx, connection, { ...first, state: 'live', version, ours, theirs })
  })
}

function copyOf(ctx: Context, { id }: Connection, calendar_id: string): Promise<Copy | undefined> {
  return ctx.one<Copy>(sql`select ${copyColumns} from calendar_copies t
    where ${mine(ctx)} and t.connection_id = ${id} and t.calendar_id = ${calendar_id}`)
}

/** Names what the server does not take; it is tried again when the meeting changes. */
async function notTaken(
  ctx: Context,
  connection: Connection,
  { calendar_id, version, copy }: Pending,
  problem: string,
): Promise<void> {
  if (copy) return storeCopy(ctx, copy, { version, problem })
  const id = newId()
  await insertCopy(ctx, connection, {
    id,
    calendar_id,
    href: `none ${calendar_id}`,
    part: '',
    uid: ownUid(ctx, calendar_id),
    etag: null,
    is_ours: true,
    state: 'live',
    version,
    ours: null,
    theirs: null,
  })
  await ctx.run(sql`update calendar_copies t set problem = ${problem}
    where ${mine(ctx)} and t.id = ${id}`)
}
