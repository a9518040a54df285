import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { notFound } from '../../../kit/ground/errors.ts'
import { enumeration } from '../../../kit/ground/json-schema.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { Voice } from '../../../model/languages/language.ts'
import { languages } from '../../../model/languages/language.ts'
import { Task } from '../../../model/tasks/task.ts'
import { findInsight, recipientsOf } from '../insight-email.ts'
import { brandOf } from '../../mail/brand.ts'
import type { Reader } from '../../mail/readers.ts'
import { known, voiceFor } from '../../mail/readers.ts'
import { peopleOfMeeting, personNamed } from './people.ts'
import { storedTranscript } from './transcript.ts'

export const followUpQuery = Type.Object({
  meeting_insight_id: Type.String({ minLength: 1, maxLength: 25 }),
  items: Type.Optional(
    Type.String({
      maxLength: 4000,
      description:
        'suggestions that it lists beside the tasks that customers see, by `item_id` and separated by commas',
    }),
  ),
  language: Type.Optional(
    enumeration(languages, {
      title: 'DraftLanguage',
      description: "that of the recipients outside, else the organization's, if absent",
    }),
  ),
})

export const followUp = Type.Object(
  {
    subject: Type.String({ description: 'the subject' }),
    text: Type.String({ description: 'what the mail says; blank lines part paragraphs' }),
    language: enumeration(languages, { title: 'DraftLanguage', description: 'the language of it' }),
    to: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'the full name' }),
          address: Type.String({ description: 'the e-mail address' }),
        },
        { title: 'FollowUpRecipient' },
      ),
      { description: 'the attendees with an e-mail' },
    ),
  },
  { title: 'FollowUpDraft' },
)

/**
 * A mail with the decisions of a meeting and what is to be done, for all who were invited: tasks that were made of
 * suggestions and are shared with customers, and suggestions that the caller has chosen. 400 for an unknown insight.
 */
export async function draftFollowUp(
  ctx: Context,
  { meeting_insight_id, items, language }: Static<typeof followUpQuery>,
): Promise<Static<typeof followUp>> {
  const insight = await findInsight(ctx, meeting_insight_id)
  if (!insight) throw notFound('Meeting insight')
  const [stored, people, recipients, brand] = await Promise.all([
    storedTranscript(ctx, insight.calendar_id),
    peopleOfMeeting(ctx, insight.calendar_id),
    recipientsOf(ctx, insight.calendar_id),
    brandOf(ctx),
  ])
  const to: Reader[] = await known(ctx, recipients)
  const insiders = new Set(
    people.filter(({ contact_id }) => !contact_id).map(({ address }) => address?.toLowerCase()),
  )
  const outside = to.find((each) => !insiders.has(each.address.toLowerCase()))
  const wanted = language ?? outside?.language
  const voice = voiceFor(wanted ? { language: wanted } : {}, brand)
  const find = personNamed(people)
  const chosen = items?.split(',').map((each) => each.trim())
  const shared = await sharedTasks(ctx, meeting_insight_id)
  const made = new Set(shared.map(({ id }) => id))
  const ofThis = stored?.insight_id === meeting_insight_id ? stored : undefined
  const suggested = (ofThis?.items ?? [])
    .filter(({ item_id, task_id }) => chosen?.includes(item_id) && !made.has(task_id ?? ''))
    .map(({ title, owner, due_date }) => ({
      title,
      due_date,
      owner: owner === null ? null : (find(owner)?.name ?? owner),
    }))
  const listed: Todo[] = [...shared, ...suggested]
  const decisions = ofThis?.decisions ?? []
  const day = dayIn(voice, insight.starts_at.slice(0, 10))
  const parts = [
    voice.say('follow_up.hello'),
    voice.say('follow_up.thanks'),
    ...list(
      voice.say('follow_up.decided'),
      decisions.map(({ text }) => text),
    ),
    ...list(
      voice.say('follow_up.todo'),
      listed.map((todo) => todoText(voice, todo)),
    ),
    `${voice.say('follow_up.bye')}\n${ctx.actor.full_name}`,
  ]
  return {
    subject: voice.say('follow_up.subject', { title: insight.title, day }),
    text: parts.join('\n\n'),
    language: voice.language,
    to: to.map(({ name = '', address }) => ({ name, address })),
  }
}

type Todo = { title: string; owner: string | null; due_date: string | null }

/** Tasks that were made of an insight and that customers see, as far as the caller does. */
function sharedTasks(ctx: Context, insight_id: string) {
  return ctx.all<
    Todo & { id: string }
  >(sql`select t.id, t.title, u.full_name as owner, t.due_date::text as due_date from tasks t
    left join users u on u.organization_id = $organization and u.id = t.owner
    where ${scope(ctx, Task, 'read')} and t.meeting_summary_id = ${insight_id} and t.is_shared
    order by t.due_date, t.id limit 100`)
}

function list(title: string, lines: string[]): string[] {
  return lines.length ? [`${title}\n${lines.map((line) => `• ${line}`).join('\n')}`] : []
}

function todoText(voice: Voice, { title, owner, due_date }: Todo): string {
  const due = due_date ? [dayIn(voice, due_date)] : []
  return `${owner ?? voice.say('follow_up.nobody')}: ${[title, ...due].join(', ')}`
}

/** A day in short: "2 December". */
function dayIn({ language }: Voice, day: string): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))
}
