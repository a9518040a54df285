import type { Context } from '../../../kit/ground/context.ts'
import { dayOfInstant } from '../../../kit/ground/dates.ts'
import { badField, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { foldedText } from '../../../kit/ground/fold.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { scope } from '../../../kit/record/scope.ts'
import { announce } from '../../../kit/write/announce.ts'
import { insert, lock, update } from '../../../kit/write/write.ts'
import { MeetingInsight, wasThere } from '../../../model/calendar/insight.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import type { Language } from '../../../model/languages/language.ts'
import { languageOf } from '../../../model/languages/language.ts'
import { settingsOf } from '../../../model/organizations/settings.ts'
import { Task } from '../../../model/tasks/task.ts'
import { zoneOf } from '../repeat.ts'
import type { ToRead } from './asked.ts'
import { readingByModel } from './asked.ts'
import { wordsIn } from './language.ts'
import type { Present } from './people.ts'
import { peopleOfMeeting, personNamed } from './people.ts'
import type { Said, TranscriptFormat } from './parse.ts'
import { parsing } from './parse.ts'
import type { Decision, Item } from './read.ts'
import { reading } from './read.ts'
import type { MeetingTranscript } from './schema.ts'
import { daysStored } from './schema.ts'

/** The most lines of a transcript: three hours have some three thousand. */
const mostLines = 20_000
/** For how many milliseconds the answer of a language model is expected. */
const longestAsked = 10 * 60_000

/** An item as it is stored, with the task that was made of it. */
export type StoredItem = Item & { item_id: string; task_id: string | null }

export type StoredTranscript = {
  calendar_id: string
  insight_id: string
  format: TranscriptFormat
  language: Language
  lines: Said[]
  /** as it was read: what stands elsewhere in its place, a person wrote */
  summary: string | null
  decisions: Decision[]
  items: StoredItem[]
  source: 'rules' | 'model'
  model: string | null
  sent_bytes: number | null
  is_asked: boolean
  added_by: string | null
  creation_time: string
  expires_at: string
}

/**
 * Stores what was said in a meeting in place of an earlier transcript, and reads it by rules; where a language model is
 * configured, its answer follows. Only for those who were there, and administrators. 400 where nothing is said in it.
 */
export async function addTranscript(
  ctx: Context,
  id: string,
  { text, keep_days = daysStored }: { text: string; keep_days?: number },
): Promise<MeetingTranscript> {
  await checkReadable(ctx, Meeting, id)
  await checkPresent(ctx, id)
  const { computations } = ctx.services
  const { lines, format } = await computations.run(ctx.organization.id, parsing, text)
  if (!lines.length) throw badField('text', 'has nothing that was said')
  if (lines.length > mostLines) throw badField('text', `has more than ${mostLines} lines`)
  const people = await peopleOfMeeting(ctx, id)
  const { language: usual } = await settingsOf(ctx)
  const read = await computations.run(ctx.organization.id, reading, {
    lines,
    people: people.map(({ name }) => name),
    day: await dayOf(ctx, id),
    language: languageOf(usual) ?? 'en',
  })
  // only now, because reading takes seconds
  const { row } = await lock(ctx, Meeting, id, 'update')
  const before = await storedTranscript(ctx, id)
  const insight_id = await storeInsight(ctx, id, before, read.summary)
  const now = ctx.now()
  const is_asked = ctx.suggest !== undefined
  await ctx.run(sql`
    insert into meeting_transcripts (organization_id, calendar_id, insight_id, format, language, lines,
      summary, decisions, items, source, is_asked, added_by, creation_time, expires_at)
    values (${ctx.organization.id}, ${id}, ${insight_id}, ${format}, ${read.language},
      ${JSON.stringify(lines)}::jsonb, ${read.summary || null}, ${JSON.stringify(read.decisions)}::jsonb,
      ${JSON.stringify(withIds(read.items))}::jsonb, 'rules', ${is_asked}, ${ctx.actor.user_id}, ${now.toISOString()},
      ${new Date(+now + keep_days * 86_400_000).toISOString()})
    on conflict (organization_id, calendar_id) do update set insight_id = excluded.insight_id,
      format = excluded.format, language = excluded.language, lines = excluded.lines,
      summary = excluded.summary, decisions = excluded.decisions, items = excluded.items, source = excluded.source, model = null,
      sent_bytes = null, is_asked = excluded.is_asked, added_by = excluded.added_by, creation_time = excluded.creation_time,
      expires_at = excluded.expires_at`)
  await announce(ctx, Meeting, before ? 'transcript_replaced' : 'transcript_added', {
    id,
    title: before ? 'Transcript replaced' : 'Transcript added',
    action: 'updated',
    name: row.title,
    changes: [{ field: 'transcript_lines', from: before?.lines.length ?? null, to: lines.length }],
  })
  if (is_asked) {
    const toRead: ToRead = { calendar_id: id, at: now.toISOString() }
    ctx.enqueue(readingByModel, toRead, { as: 'caller' })
  }
  const shown = await readTranscript(ctx, id)
  if (!shown) throw notFound('Transcript')
  return shown
}

/** What was said, and what was read out of it; null without one, 403 for whoever was not there. */
export async function readTranscript(ctx: Context, id: string): Promise<MeetingTranscript | null> {
  await checkReadable(ctx, Meeting, id)
  await checkPresent(ctx, id)
  const stored = await storedTranscript(ctx, id)
  if (!stored) return null
  const [people, meeting, insight, added] = await Promise.all([
    peopleOfMeeting(ctx, id),
    ctx.one<{ project_id: string | null }>(
      sql`select t.project_id from meetings t where ${mine(ctx)} and t.id = ${id}`,
    ),
    ctx.one<{ summary: string | null }>(
      sql`select t.summary from meeting_insights t where ${mine(ctx)} and t.id = ${stored.insight_id}`,
    ),
    ctx.one<{ name: string }>(sql`select t.full_name as name from users t
      where ${mine(ctx)} and t.id = ${stored.added_by} and t.deleted_at is null`),
  ])
  const project_id = meeting?.project_id ?? null
  const find = personNamed(people)
  const { calendar_id, insight_id, lines, source, model, sent_bytes } = stored
  return {
    calendar_id,
    meeting_insight_id: insight_id,
    summary: insight?.summary ?? null,
    decisions: stored.decisions,
    suggested_items: await shownItems(ctx, stored.items, { find, project_id }),
    source,
    model,
    sent_bytes,
    // a job that was lost is not waited for
    is_model_asked: stored.is_asked && +ctx.now() - Date.parse(stored.creation_time) < longestAsked,
    language: stored.language,
    format: stored.format,
    seconds: lines.findLast(({ at }) => at !== null)?.at ?? null,
    speakers: speakersOf(lines, find),
    lines,
    added_by: added?.name ?? null,
    creation_time: stored.creation_time,
    expires_at: stored.expires_at,
  }
}

/** Removes a transcript with what was read out of it; tasks that were made of it stay. */
export async function removeTranscript(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<void> {
  const { row } = await lock(ctx, Meeting, id, 'update', ifMatch)
  await checkPresent(ctx, id)
  const stored = await storedTranscript(ctx, id)
  if (!stored) throw notFound('Transcript')
  // what a person wrote there stays
  await renewSummary(ctx, stored, '')
  await ctx.run(sql`delete from meeting_transcripts t where ${mine(ctx)} and t.calendar_id = ${id}`)
  await announce(ctx, Meeting, 'transcript_removed', {
    id,
    title: 'Transcript removed',
    action: 'updated',
    name: row.title,
    changes: [{ field: 'transcript_lines', from: stored.lines.length, to: null }],
  })
}

/** The transcript of a meeting that has not expired; nothing of rights is checked. */
export function storedTranscript(ctx: Context, id: string): Promise<StoredTranscript | undefined> {
  return ctx.one<StoredTranscript>(sql`
    select t.calendar_id, t.insight_id, t.format, t.language, t.lines, t.summary, t.decisions, t.items, t.source,
      t.model, t.sent_bytes, t.is_asked, t.added_by, t.creation_time, t.expires_at
    from meeting_transcripts t
    where ${mine(ctx)} and t.calendar_id = ${id} and t.expires_at > ${ctx.now().toISOString()}`)
}

/** 403 for whoever may read the meeting, but was not there. */
export async function checkPresent(ctx: Context, id: string): Promise<void> {
  const found = await ctx.one(sql`select from meetings t
    where ${all(mine(ctx), wasThere(ctx))} and t.id = ${id}`)
  if (!found)
    throw forbidden('What was said in a meeting is for those who were invited before it was over')
}

/** Gives items the ids by which they are accepted. */
export function withIds(items: Item[]): StoredItem[] {
  return items.map((item) => ({ ...item, item_id: newId(), task_id: null }))
}

/** The day of a meeting by its own clock, from which dates are counted. */
async function dayOf(ctx: Context, id: string): Promise<string> {
  const found = await ctx.one<Pick<MeetingRow, 'start' | 'timezone'>>(sql`
    select t.starts_at as start, t.timezone from meetings t where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw notFound('Meeting')
  return dayOfInstant(found.start, zoneOf(ctx, found.timezone)) ?? found.start.slice(0, 10)
}

/** The insight that has the summary: the one before, or a new one. A summary that a person wrote stays. */
async function storeInsight(
  ctx: Context,
  calendar_id: string,
  before: StoredTranscript | undefined,
  summary: string,
): Promise<string> {
  const known = before
    ? await ctx.one<{ id: string }>(sql`select t.id from meeting_insights t
        where ${mine(ctx)} and t.id = ${before.insight_id} and t.deleted_at is null`)
    : undefined
  if (before && known) {
    await renewSummary(ctx, before, summary)
    return known.id
  }
  const draft = { calendar_id, summary: summary || null }
  const { id } = await insert(ctx, MeetingInsight, draft, { set: { transcribed: true } })
  return id
}

/** Puts what was read now in place of the summary that was read before, unless a person wrote another. */
export async function renewSummary(
  ctx: Context,
  { insight_id, summary: before }: StoredTranscript,
  summary: string,
): Promise<void> {
  const insight = await lock(ctx, MeetingInsight, insight_id, 'update')
  if ((insight.row.summary || null) !== before) return
  await update(ctx, insight, { summary: summary || null })
}

type Around = { find: (name: string) => Present | undefined; project_id: string | null }

/** Items with the people behind names, and the open tasks that are called the same, as far as the caller sees them. */
async function shownItems(ctx: Context, items: StoredItem[], { find, project_id }: Around) {
  const keys = items.map(({ title }) => foldedText(title))
  const made = items.flatMap(({ task_id }) => task_id ?? [])
  const there = items.length
    ? await ctx.all<{ id: string; title: string; isMade: boolean }>(sql`
        select t.id, t.title, t.id = any(${made}::varchar[]) as "isMade" from tasks t
        where ${scope(ctx, Task, 'read')} and (t.id = any(${made}::varchar[])
          or (not t.is_completed and t.project_id = ${project_id}
            and lower(t.title) = any(${items.map(({ title }) => title.toLowerCase())})))
        order by t.id limit 500`)
    : []
  const ids = new Set(there.map(({ id }) => id))
  return items.map(({ owner, ...item }, n) => {
    const person = owner === null ? undefined : find(owner)
    const same = there.find(({ title, isMade }) => !isMade && foldedText(title) === keys[n])
    return {
      item_id: item.item_id,
      title: item.title,
      owner:
        owner === null ? null : { user_id: person?.user_id ?? null, name: person?.name ?? owner },
      due_date: item.due_date,
      quote: item.quote,
      at: item.at,
      speaker: item.speaker,
      duplicate_of: same ? { task_id: same.id, title: same.title } : null,
      task_id: item.task_id !== null && ids.has(item.task_id) ? item.task_id : null,
    }
  })
}

function speakersOf(lines: Said[], find: Around['find']) {
  const counts = new Map<string, number>()
  for (const { speaker, text } of lines)
    if (speaker !== null) counts.set(speaker, (counts.get(speaker) ?? 0) + wordsIn(text).length)
  const sum = Math.max(
    [...counts.values()].reduce((all, count) => all + count, 0),
    1,
  )
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 100)
    .map(([name, count]) => {
      const person = find(name)
      return {
        name,
        user_id: person?.user_id ?? null,
        contact_id: person?.contact_id ?? null,
        share: Math.round((100 * count) / sum),
      }
    })
}
