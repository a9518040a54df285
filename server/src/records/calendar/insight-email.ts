import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Voice } from '../../model/languages/language.ts'
import { languages } from '../../model/languages/language.ts'
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

const id = Type.String({ minLength: 1, maxLength: 25 })
const language = enumeration(languages, { title: 'FollowUpLanguage' })
const addresses = Type.Array(Type.String({ format: 'email', maxLength: 320 }), {
  minItems: 1,
  maxItems: 200,
})

/** Which insight is mailed, and how; without words of its own its summary and action items. */
export const emailBody = Type.Object({
  meeting_insight_id: id,
  calendar_id: id,
  subject: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
  text: Type.Optional(
    Type.String({
      pattern: '\\S',
      maxLength: 20_000,
      description:
        'what the mail says, in place of summary and action items; blank lines part paragraphs',
    }),
  ),
  to: Type.Optional({ ...addresses, description: 'only these of the attendees, by e-mail' }),
  language: Type.Optional({
    ...language,
    description: "of what frames it; each reader's own if absent",
  }),
})

/** Mails an insight to the attendees of its meeting; 400 where it is not of that meeting. */
export async function emailInsight(
  ctx: Context,
  body: Static<typeof emailBody>,
): Promise<{ status: string; sent: number }> {
  const insight = await findInsight(ctx, body.meeting_insight_id)
  if (!insight) throw badField('meeting_insight_id', 'no such record')
  if (insight.calendar_id !== body.calendar_id) {
    throw badField('calendar_id', 'is not the meeting of this insight')
  }
  const invited = await recipientsOf(ctx, insight.calendar_id)
  const chosen = body.to?.map((each) => each.toLowerCase())
  const stranger = chosen?.findIndex((each) =>
    invited.every(({ address }) => address.toLowerCase() !== each),
  )
  if (stranger !== undefined && stranger >= 0) {
    throw badField(`to.${stranger}`, 'is nobody who was invited to this meeting')
  }
  await reserveReminder(ctx, 'insight', body.meeting_insight_id)
  const people = invited.filter(({ address }) => chosen?.includes(address.toLowerCase()) ?? true)
  const readers = await known(ctx, people)
  for (const to of readers.map((each) => ({
    ...each,
    ...(body.language && { language: body.language }),
  })))
    await post(ctx, to, messageOf(insight, body), { kind: 'insight' })
  await announce(ctx, Meeting, 'mailed', {
    id: insight.calendar_id,
    title: 'Meeting insight mailed',
    name: insight.title,
    changes: [{ field: 'mailed_to', from: null, to: people.map(({ address }) => address) }],
  })
  return { status: 'success', sent: people.length }
}

/** An insight; undefined if the caller cannot see it. */
export function findInsight(ctx: Context, id: string): Promise<Insight | undefined> {
  return ctx.one<Insight>(sql`
    select t.calendar_id, t.summary, t.action_items, m.title, m.starts_at
    from meeting_insights t
    join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${scope(ctx, MeetingInsight, 'read')} and t.id = ${id}`)
}

/** Attendees with an e-mail address, once each; users and contacts by their current one. */
export function recipientsOf(ctx: Context, calendar_id: string) {
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

function messageOf(
  { title, starts_at, summary, action_items }: Insight,
  { subject, text }: Pick<Static<typeof emailBody>, 'subject' | 'text'>,
) {
  const items = action_items.map((item) => `• ${textOf(item)}`)
  return (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: subject ?? voice.say('insight.subject', { title }),
    paragraphs: text
      ? text.trim().split(/\n\s*\n/)
      : [
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
