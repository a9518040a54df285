import type { Context, Query } from '../../kit/ground/context.ts'
import { notificationMailJob } from '../../kit/ground/event.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { mailing } from '../../kit/write/events.ts'
import type { Voice } from '../../model/languages/language.ts'
import { Task } from '../../model/tasks/task.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import type { Brand } from '../mail/brand.ts'
import { brandOf } from '../mail/brand.ts'
import type { Letter } from '../mail/letter.ts'
import { portalPath, preferencesUrl, workspaceUrl } from '../mail/links.ts'
import { outsiderUrl } from '../mail/outsider-link.ts'
import type { Sender } from '../mail/post.ts'
import { personOf, post } from '../mail/post.ts'
import { voiceFor } from '../mail/readers.ts'
import { replyAddress } from '../mail/reply-address.ts'
import { unsubscribeUrl } from './unsubscribe.ts'
import { today } from '../../model/time/dates.ts'
import { loadActor } from '../users/actor.ts'
import type { About, Shown } from './shown.ts'
import { shownTo } from './shown.ts'
import type { Words } from './words.ts'
import { wordsOf } from './words.ts'

/** A notification to be mailed, and its recipient. */
type Pending = {
  id: string
  category: string
  title: string
  description: string | null
  notification_obj: About & { event?: string; person?: string; due_date?: string; more?: number }
  created_by: string | null
  creation_time: string
  user_id: string
  full_name: string
  email: string
  language: string | null
  timezone: string | null
}

/** A notification in its reader's language, with what they may read of its subject. */
type Readable = {
  pending: Pending
  words: Words
  shown: Shown
  sender: Sender | null
  /** of a customer or partner, who has the portal */
  isOutsider: boolean
}

/** The maximum number of mails of a category to one user in an hour: the rest waits for the digest. */
const mostInHour = 20
const mostOf: { [category: string]: number } = { survey_response: 5 }

/** Whether what a notification says of a task waits for the weekly overview of a customer, who chose that instead. */
const inOverview = sql`(t.category in ('assignment', 'due', 'overdue')
  and coalesce(t.notification_obj ->> 'module_id', '') = ${String(Task.number)}
  and exists (select from portal_overviews o
    join users ou on ou.organization_id = $organization and ou.id = o.user_id
    join roles r on r.organization_id = $organization and r.id = ou.role_id
      and r.kind = any(${externalKinds})
    where o.organization_id = $organization and o.user_id = t.user_id and o.is_on))`

/**
 * Mails one notification at once, in the recipient's current language and by their current rights; it is
 * marked as mailed in the same transaction. After too many in an hour it waits for the daily digest. Those that were
 * `gathered` (`gatherMails`) are one mail, as far as they are unread. What a customer or partner is notified of waits
 * some minutes: then one job mails whatever there is for them, and those of the others find nothing left.
 */
export const mailNotification: Job<{ notification_id: string; gathered?: string[] }> = {
  ...notificationMailJob,
  async run({ write }, { notification_id, gathered }) {
    await write(async (ctx) => {
      const outsider = await outsiderOf(ctx, notification_id)
      if (gathered) return mailGathered(ctx, gathered, outsider)
      if (outsider) {
        const at = new Date(+ctx.now() + ctx.services.gatherSeconds * 1000)
        return ctx.enqueue(
          mailNotification,
          { notification_id, gathered: [notification_id] },
          { at },
        )
      }
      const isCalm = sql`t.id = ${notification_id} and not ${inOverview} and (select count(*) from notifications o
          where o.organization_id = $organization and o.user_id = t.user_id
            and o.category = t.category and o.creation_time > ${hourBefore(ctx.now())}
            and o.mailed_at is not null)
        < coalesce((${JSON.stringify(mostOf)}::json ->> t.category)::int, ${mostInHour})`
      const [pending] = await markMailed(ctx, isCalm)
      const [readable] = pending ? await readableOf(ctx, [pending]) : []
      if (readable) await mailOne(ctx, readable)
    })
  },
}

/**
 * Mails the unread notifications of the two days before a time that have not been mailed, one mail per
 * user: for users who chose the daily digest, and those that exceeded the hourly maximum. A batch of at most 20
 * users; returns how many.
 */
export async function mailDigests(ctx: Context, until: Date): Promise<number> {
  const since = new Date(+until - 2 * 86_400_000).toISOString()
  const chosen = mailing(sql`t.user_id`, sql`t.category`)
  const waiting = sql`not t.read and not ${inOverview} and t.creation_time > ${since}
    and t.creation_time < ${until.toISOString()} and (${chosen} = 'daily'
      or (${chosen} = 'immediately' and t.creation_time < ${hourBefore(until)}))`
  const users = await ctx.all<{ user_id: string }>(sql`
    select distinct t.user_id from notifications t
    where ${mine(ctx)} and t.mailed_at is null and ${waiting} order by 1 limit 20`)
  if (!users.length) return 0
  const ids = users.map(({ user_id }) => user_id)
  const pending = await markMailed(ctx, sql`t.user_id = any(${ids}) and ${waiting}`)
  for (const all of Map.groupBy(pending, ({ user_id }) => user_id).values()) {
    await mailDigest(ctx, await readableOf(ctx, all.slice(0, mostEntries)), { count: all.length })
  }
  return users.length
}

const mostEntries = 50

function hourBefore(time: Date): string {
  return new Date(+time - 3_600_000).toISOString()
}

/** The customer or partner whom a notification is for, if their mails are gathered. */
async function outsiderOf(ctx: Context, notification: string): Promise<string | undefined> {
  if (!ctx.services.gatherSeconds) return undefined
  const found = await ctx.one<{ user_id: string }>(sql`
    select t.user_id from notifications t
    join users u on u.organization_id = $organization and u.id = t.user_id
    join roles r on r.organization_id = $organization and r.id = u.role_id
      and r.kind = any(${externalKinds})
    where ${mine(ctx)} and t.id = ${notification} and t.mailed_at is null`)
  return found?.user_id
}

/** Mails these, and what else an outsider was notified of in the last hour, except for what waits for an undo. */
async function mailGathered(ctx: Context, ids: string[], outsider?: string): Promise<void> {
  const now = ctx.now()
  const isImmediate = sql`${mailing(sql`t.user_id`, sql`t.category`)} = 'immediately'`
  const isTheirs = outsider
    ? sql`(t.user_id = ${outsider} and t.creation_time > ${hourBefore(now)}
        and (t.mail_from is null or t.mail_from <= ${now.toISOString()}))`
    : sql`false`
  const isOne = sql`(t.id = any(${ids}::varchar[]) or ${isTheirs})
    and not t.read and not ${inOverview} and ${isImmediate}`
  const pending = await markMailed(ctx, isOne)
  const readable = await readableOf(ctx, pending)
  const [first] = readable
  if (first && readable.length === 1) await mailOne(ctx, first)
  else
    await mailDigest(ctx, readable.slice(0, mostEntries), {
      count: readable.length,
      isGathered: true,
    })
}

async function mailOne(ctx: Context, readable: Readable): Promise<void> {
  const { pending, words, shown, sender } = readable
  const { user_id, category } = pending
  const url = await urlOf(ctx, pending.user_id, readable)
  const unsubscribe = unsubscribeUrl(ctx, { user: user_id, category })
  const replyTo = shown.comment ? await replyAddress(ctx, user_id, shown.comment.id) : undefined
  const compose = (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: words.subject,
    name: pending.full_name,
    paragraphs: [words.text],
    facts: factsOf(pending, shown, voice),
    ...(shown.comment ? { quote: shown.comment.text } : {}),
    actions: [{ label: voice.say('mail.open'), url }],
    ...(replyTo ? { ruler: voice.say('mail.reply_above') } : {}),
    note: [
      ...(replyTo ? [voice.say('mail.reply_here')] : []),
      voice.say('mail.why', { organization }),
    ].join(' '),
    footers: footersOf(ctx, voice, unsubscribe),
  })
  await post(ctx, readerOf(pending), compose, {
    kind: 'notification',
    sender,
    unsubscribe,
    needed: { user: user_id },
    ...(replyTo ? { replyTo } : {}),
  })
}

async function mailDigest(
  ctx: Context,
  readable: Readable[],
  { count, isGathered = false }: { count: number; isGathered?: boolean },
): Promise<void> {
  const [first] = readable
  if (!first) return
  const { pending } = first
  // of what is gathered it ends the kinds that are in the mail
  const ended = [...new Set(readable.map(({ pending: { category } }) => category))]
  const category = isGathered ? ended.join() : 'daily'
  const unsubscribe = unsubscribeUrl(ctx, { user: pending.user_id, category })
  const more = Math.max(0, count - mostEntries)
  const total = readable.length + more
  // of the many places one is entered by the link, and the others then lead on
  const all = first.isOutsider
    ? await outsiderUrl(ctx, pending.user_id, { path: '/portal' })
    : workspaceUrl(ctx, { module: '', id: null })
  const entryUrl = ({ shown }: Readable) =>
    first.isOutsider
      ? `${ctx.public_url}${portalPath(placeOf(shown))}`
      : workspaceUrl(ctx, placeOf(shown))
  const compose = (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: voice.say('digest.subject', { count: total, organization }),
    name: pending.full_name,
    paragraphs: [voice.say('digest.text', { organization })],
    entries: readable.map((each) => ({
      title: each.words.subject,
      text: [
        each.shown.comment?.text.slice(0, 300),
        each.shown.project?.name,
        voice.instant(each.pending.creation_time),
      ]
        .filter(Boolean)
        .join(' · '),
      url: entryUrl(each),
    })),
    actions: [{ label: voice.say(first.isOutsider ? 'portal.open_all' : 'digest.open'), url: all }],
    note: [
      ...(more ? [voice.say('digest.more', { count: more })] : []),
      voice.say('mail.why', { organization }),
    ].join(' '),
    footers: footersOf(ctx, voice, unsubscribe),
  })
  const { user_id } = pending
  const needed = { user: user_id }
  // customers are written to by a person where it is one
  const isOfOne = readable.every((each) => each.pending.created_by === pending.created_by)
  const sender = first.isOutsider && isOfOne ? first.sender : null
  await post(ctx, readerOf(pending), compose, { kind: 'digest', sender, unsubscribe, needed })
}

/** The notifications with what their users may read, in their language; without those that they may not read. */
async function readableOf(ctx: Context, all: Pending[]): Promise<Readable[]> {
  const [first] = all
  if (!first) return []
  const loaded = await loadActor(ctx, ctx.organization.id, first.user_id)
  if (!loaded?.is_active) return []
  const brand = await brandOf(ctx)
  const voice = voiceFor(first, brand)
  const readable: Readable[] = []
  for (const pending of all) {
    const { notification_obj, created_by } = pending
    const shown = await shownTo(ctx, loaded.actor, notification_obj)
    if (!shown) continue
    const sender = await personOf(ctx, created_by)
    const { event, due_date, more, person = sender?.name ?? null } = notification_obj
    const words = wordsOf({ ...pending, event, due_date, more, person }, shown, voice, today(ctx))
    const isOutsider = loaded.actor.is_external
    if (words) readable.push({ pending, words, shown, sender, isOutsider })
  }
  return readable
}

/**
 * Marks notifications as mailed, and returns those of active users who did not cause them. The people
 * of a demonstration are not mailed.
 */
async function markMailed(ctx: Context, condition: Query): Promise<Pending[]> {
  return ctx.all<Pending>(sql`
    with chosen as (select t.id from notifications t
      where ${mine(ctx)} and t.mailed_at is null and ${condition}
      order by t.id for update of t),
    marked as (update notifications t set mailed_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.id in (select chosen.id from chosen)
      returning t.id, t.category, t.title, t.description, t.notification_obj, t.created_by,
        t.creation_time, t.user_id)
    select m.*, u.full_name, u.email, u.language, u.timezone from marked m
    join users u on u.organization_id = ${ctx.organization.id} and u.id = m.user_id
      and u.is_active and u.deleted_at is null and not u.is_demo_data
    where m.created_by is distinct from m.user_id
    order by m.id`)
}

/** Where a mail leads to: for customers and partners their portal, without a sign-in for what they are to do. */
function urlOf(
  ctx: Context,
  user: string,
  { shown, isOutsider }: Readable,
): Promise<string> | string {
  const place = placeOf(shown)
  if (!isOutsider) return workspaceUrl(ctx, place)
  const isTask = shown.module === 'tasks' && !shown.comment && !shown.is_completed
  return outsiderUrl(ctx, user, { path: portalPath(place), task_id: isTask ? shown.id : null })
}

function placeOf({ module, id, project, comment }: Shown) {
  return { module, id, project_id: project?.id ?? null, interaction_id: comment?.id ?? null }
}

/** The record's project and day; without a day, when a meeting begins, or when what is mailed happened. */
function factsOf(
  { creation_time }: Pending,
  { project, due_date, starts_at }: Shown,
  voice: Voice,
) {
  return [
    ...(project ? [{ label: voice.say('mail.project'), value: project.name }] : []),
    due_date
      ? { label: voice.say('mail.due'), value: voice.day(due_date) }
      : { label: voice.say('mail.when'), value: voice.instant(starts_at ?? creation_time) },
  ]
}

function footersOf(ctx: Context, voice: Voice, unsubscribe: string) {
  return [
    { label: voice.say('mail.manage'), url: preferencesUrl(ctx) },
    { label: voice.say('mail.unsubscribe'), url: unsubscribe },
  ]
}

function readerOf({ full_name, email, language, timezone }: Pending) {
  return { name: full_name, address: email, language, timezone }
}
