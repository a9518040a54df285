import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { Attendee } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import { listMeetings } from '../calendar/list.ts'
import { rowsOf } from './part.ts'
import type { Preparation } from './preparation-shape.ts'
import type { Row } from './shape.ts'

/**
 * Promises of a side that are shown, people, days back in which the meeting before is looked for, and how many that
 * began last are looked at for the one that had ended.
 */
const most = { promises: 3, people: 8, days: 62, meetings: 10 }

/** What to know before the first of these meetings that belongs to a project; null without one. */
export async function preparationOf(ctx: Context, rows: Row[]): Promise<Preparation | null> {
  const next = rows.find(({ kind, record, due }) => kind === 'meeting' && record && due)
  if (!next?.record || !next.due) return null
  const { id: project } = next.record
  const [meeting, open, since] = await Promise.all([
    meetingOf(ctx, next.id),
    openOf(ctx, project),
    lastBefore(ctx, project, next.due),
  ])
  const side = (isTheirs: boolean) => {
    const found = open.filter(({ is_theirs }) => is_theirs === isTheirs)
    const rows = found.map(({ id, title, due }) => ({ id, title, due }))
    return { rows, count: found[0]?.count ?? 0 }
  }
  return {
    meeting_id: next.id,
    people: meeting.people,
    theirs: side(true),
    ours: side(false),
    since,
    done: since ? await doneSince(ctx, project, since) : 0,
    agenda: meeting.agenda,
  }
}

async function meetingOf(ctx: Context, id: string) {
  const query = { fields: 'attendees,description', items_per_page: 1 }
  const answer = await listPage(ctx, Meeting, query, sql`t.id = ${id}`)
  const [found] = rowsOf<{ attendees: Attendee[]; description: string | null }>(answer)
  const people = (found?.attendees ?? []).flatMap(({ name, email }) => name ?? email ?? [])
  return { people: people.slice(0, most.people), agenda: found?.description ?? null }
}

type Promised = {
  id: string
  title: string
  due: string | null
  is_theirs: boolean
  /** of all of its side */
  count: number
}

/** The first open tasks of a project that customers and partners have to do, and of those that they see. */
function openOf(ctx: Context, project: string): Promise<Promised[]> {
  return ctx.all<Promised>(sql`
    select x.id, x.title, x.due_date::text as due, x.is_theirs, x.count from (
      select p.*, count(*) over (partition by p.is_theirs)::int as count,
        row_number() over (partition by p.is_theirs order by p.due_date nulls last, p.id) as nth
      from (
        select t.id, t.title, t.due_date, t.is_shared,
          coalesce(r.kind = any(${externalKinds}), false) as is_theirs
        from ${readableRows(ctx, 'tasks')} t
        left join users u on u.organization_id = $organization and u.id = t.owner
        left join roles r on r.organization_id = $organization and r.id = u.role_id
        where ${mine(ctx)} and t.project_id = ${project} and not t.is_completed
          and t.deleted_at is null
      ) p where p.is_theirs or p.is_shared
    ) x where x.nth <= ${most.promises} order by x.nth`)
}

/** When the meeting of a project before another one ended; null where there was none of late. */
async function lastBefore(ctx: Context, project: string, start: string): Promise<string | null> {
  const at = new Date(start)
  const from = new Date(at.getTime() - most.days * 86_400_000).toISOString()
  const answer = await listMeetings(
    ctx,
    {
      start: from,
      end: at.toISOString(),
      items_per_page: most.meetings,
      reverse: true,
      fields: 'start,end',
    },
    // a series is found by its first meeting, and begins before the others
    sql`not t.is_meeting_cancelled and t.project_id = ${project} and t.ends_at < ${start}`,
  )
  return rowsOf<{ end: string }>(answer).find(({ end }) => new Date(end) < at)?.end ?? null
}

async function doneSince(ctx: Context, project: string, since: string): Promise<number> {
  const found = await ctx.one<{ count: number }>(sql`
    select count(*)::int as count from ${readableRows(ctx, 'tasks')} t
    where ${mine(ctx)} and t.project_id = ${project} and t.completed_at >= ${since}
      and t.deleted_at is null`)
  return found?.count ?? 0
}
