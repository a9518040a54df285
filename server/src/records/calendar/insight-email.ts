import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Brand } from '../mail/brand.ts'
import type { Letter } from '../mail/letter.ts'
import { post } from '../mail/post.ts'
import { reserveReminder } from '../mail/quota.ts'
import { known } from '../mail/readers.ts'
import { MeetingInsight } from '../../model/calendar/insight.ts'
import { Meeting } from '../../model/calendar/meeting.ts'

type Insight = {
  calendar_id: string
  summary: string | null
  action_items: unknown[]
  title: string
  starts_at: string
}

/** Mails an insight to the attendees of its meeting; 400 where it is not of that meeting. */
export async function emailInsight(
  ctx: Context,
  ids: { meeting_insight_id: string; calendar_id: string },
): Promise<{ status: string; sent: number }> {
  const insight = await findInsight(ctx, ids.meeting_insight_id)
  if (insight.calendar_id !== ids.calendar_id) {
    throw badField('calendar_id', 'is not the meeting of this insight')
  }
  await reserveReminder(ctx, 'insight', ids.meeting_insight_id)
  const people = await recipientsOf(ctx, insight.calendar_id)
  for (const to of await known(ctx, people))
    await post(ctx, to, messageOf(insight), { kind: 'insight' })
  await announce(ctx, Meeting, 'mailed', {
    id: insight.calendar_id,
    title: 'Meeting insight mailed',
    name: insight.title,
    changes: [{ field: 'mailed_to', from: null, to: people.map(({ address }) => address) }],
  })
  return { status: 'success', sent: people.length }
}

/** The insight that a body names; 400 if the caller cannot see it. */
async function findInsight(ctx: Context, id: string): Promise<Insight> {
  const insight = await ctx.one<Insight>(sql`
    select t.calendar_id, t.summary, t.action_items, m.title, m.starts_at
    from meeting_insights t
    join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${scope(ctx, MeetingInsight, 'read')} and t.id = ${id}`)
  if (!insight) throw badField('meeting_insight_id', 'no such record')
  return insight
}

/** Attendees with an e-mail address, once each; users and contacts by their current one. */
function recipientsOf(ctx: Context, calendar_id: string) {
  return ctx.all<{ name: string; address: string }>(sql`
    select distinct on (lower(e.address)) coalesce(u.full_name, c.full_name, a ->> 'name', '') as name,
      e.address
    from meetings t
    cross join jsonb_array_elements(t.attendees) a
    left join users u on a ->> 'type' = 'user' and u.organization_id = $organization
      and u.id = a ->> 'id' and u.is_active and u.deleted_at is null
    left join contacts c on a ->> 'type' = 'contact' and c.organization_id = $organization
      and c.id = a ->> 'id' and c.deleted_at is null
      and c.do_not_contact is distinct from 'yes'
    cross join lateral (select coalesce(u.email, c.primary_email,
      case when a ->> 'type' = 'external' then a ->> 'email' end) as address) e
    where ${mine(ctx)} and t.id = ${calendar_id} and e.address like '%@%'
    order by lower(e.address)`)
}

function messageOf({ title, starts_at, summary, action_items }: Insight) {
  const items = action_items.map((item) => `• ${textOf(item)}`)
  return (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: voice.say('insight.subject', { title }),
    paragraphs: [
      `${title}, ${voice.instant(starts_at)}`,
      summary ?? voice.say('insight.none'),
      ...(items.length ? [`${voice.say('insight.todo')}\n${items.join('\n')}`] : []),
    ],
    note: voice.say('insight.note', { organization }),
  })
}

/** An action item as text: its own, that under `text`, or its JSON. */
function textOf(item: unknown): string {
  if (typeof item === 'string') return item
  const text: unknown = typeof item === 'object' && item && 'text' in item ? item.text : null
  return String(text ?? JSON.stringify(item))
}
