import type { Context } from '../kit/ground/context.ts'
import type { Answer, Operation } from '../kit/ground/operation.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { calendar } from '../records/calendar/operations.ts'
import { createDocument } from '../records/documents/create.ts'
import { interactions } from '../records/interactions/operations.ts'
import { submitResponse } from '../records/surveys/responses/submit.ts'
import { surveys } from '../records/surveys/operations.ts'
import type { Story } from './story.ts'

const day = 86_400_000

const talk = [
  'Kick-off went well. They would like to see the reports before the second milestone.',
  'Good. Who of their team does the reviews?',
  'Their head of operations; I have added her to the project.',
]

/** What the customer reads, too. */
const welcome = 'Welcome! Your plan is shared here: tell us if a date does not suit you.'

const plan = `<h1>Onboarding plan</h1>
  <p>What we set up together in the first weeks, and who does what.</p>
  <ul><li>Data is moved and checked</li><li>The team is trained</li><li>Go-live and review</li></ul>`

/** Scores from 0 to 10 and what was said with some of them. */
const answers: [number, string?][] = [
  [9, 'The training was excellent.'],
  [10],
  [8],
  [6, 'Moving our data took longer than we were told.'],
  [9],
  [10, 'Everybody was very helpful!'],
  [7],
  [3, 'We waited two weeks for an answer.'],
  [9],
  [10],
]

/**
 * What surrounds the onboarding projects: comments, meetings, a plan as a document, and a survey with
 * answers of the last weeks.
 */
export async function makeCare(
  as: (email: string, at: Date) => Context,
  now: Date,
  { people }: Story,
): Promise<{ surveys: number; meetings: number; documents: number }> {
  const ago = (days: number) => new Date(+now - days * day)
  const [admin, ...others] = people.filter(({ role }) => role !== 'customer')
  const host = others.find(({ role }) => role === 'member')!
  const projects = await as(admin!.email, now).all<{ id: string; name: string; account: string }>(
    sql`select t.id, t.project_name as name, t.account_id as account from projects t
      where ${mine(as(admin!.email, now))} and t.project_type = 'project' order by t.id`,
  )
  for (const [i, { id, name, account }] of projects.entries()) {
    const speakers = [host, admin!, host]
    for (const [nth, content] of talk.entries()) {
      const body = { module_id: 'projects', reference_id: id, content }
      await run(as(speakers[nth]!.email, ago(9 - nth - i)), interactions.create, body)
    }
    const greeting = { module_id: 'projects', reference_id: id, content: welcome, is_shared: true }
    await run(as(host.email, ago(6 - i)), interactions.create, greeting)
    for (const [title, days] of [
      ['Kick-off', -10],
      ['Review', 4],
    ] as const) {
      const starts = new Date(+now + (days + i) * day)
      starts.setUTCHours(13, 0, 0, 0)
      await run(as(host.email, ago(14)), calendar.create, {
        title: `${title}: ${name}`,
        start: starts.toISOString(),
        end: new Date(+starts + 45 * 60_000).toISOString(),
        project_id: id,
        is_shared: true,
      })
    }
    await createDocument(as(host.email, ago(8 - i)), {
      document_name: `Plan: ${name}`,
      editor_html_content: plan,
      document_status: 'published',
      is_shared: true,
      project_id: id,
      account_id: account,
    })
  }
  const survey_id = await run(as(admin!.email, ago(30)), surveys.create, {
    name: 'How was your onboarding?',
    status: 'published',
    form_structure: [
      {
        id: 'p1',
        title: 'Your onboarding',
        fields: [
          { id: 'nps', type: 'nps', label: 'Would you recommend us?', required: true },
          { id: 'why', type: 'long-text', label: 'What could be better?' },
        ],
      },
    ],
  })
  for (const [i, [nps, why]] of answers.entries()) {
    await submitResponse(as(host.email, ago(27 - 2.5 * i)), survey_id, {
      answers: why ? { nps, why } : { nps },
      respondent_email: `guest${i + 1}@customers.example`,
    })
  }
  return { surveys: 1, meetings: 2 * projects.length, documents: projects.length }
}

/** Does an operation with a body; gives the id of what it made. */
async function run(ctx: Context, operation: Operation, body: object): Promise<string> {
  const input = { params: {}, query: {}, body, address: '', url: '' }
  return ((await operation.run(ctx, input)) as Answer).meta.id!
}
