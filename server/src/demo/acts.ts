import type { Context } from '../kit/ground/context.ts'
import type { Answer, Operation } from '../kit/ground/operation.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { accounts } from '../records/accounts/operations.ts'
import { answer as answerInvitation } from '../records/calendar/answer.ts'
import { calendar, insights } from '../records/calendar/operations.ts'
import { companies } from '../records/companies/operations.ts'
import { contacts } from '../records/contacts/operations.ts'
import { dashboards } from '../records/dashboards/operations.ts'
import { documents } from '../records/documents/operations.ts'
import { signatures } from '../records/documents/requests/operations.ts'
import { seal } from '../records/documents/sealing/seal.ts'
import { decline } from '../records/documents/signing/decline.ts'
import { sign } from '../records/documents/signing/sign.ts'
import { viewSigning } from '../records/documents/signing/signing.ts'
import { filters } from '../records/filters/operations.ts'
import { storeHealthDays } from '../records/health/days.ts'
import { holidays } from '../records/holidays/operations.ts'
import { interactionMarks, interactions } from '../records/interactions/operations.ts'
import { milestones } from '../records/milestones/operations.ts'
import { notifications } from '../records/notifications/operations.ts'
import { organizationSettings } from '../model/organizations/settings.ts'
import { projects } from '../records/projects/operations.ts'
import { surveyAutomations } from '../records/surveys/automations/operations.ts'
import { surveys } from '../records/surveys/operations.ts'
import { submitResponse } from '../records/surveys/responses/submit.ts'
import { tags } from '../model/tags/tag.ts'
import { dependencies } from '../records/tasks/dependencies.ts'
import { notifyDue } from '../records/tasks/due.ts'
import { tasks } from '../records/tasks/operations.ts'
import { timer } from '../records/tasks/time/timer.ts'
import { templates } from '../records/templates/operations.ts'
import { setUser } from '../records/users/create.ts'
import type { Body } from './step.ts'
import { present } from './present.ts'

/** The context of a step: `id` is the record of its key, if there already is one. */
export type Act = {
  ctx: Context
  key: string
  id: string
  body: Body
  /** assigns a key to a record that was created with another one, such as a task of a template */
  name(key: string, id: string): void
}

type Carried = (act: Act) => Promise<string | undefined>

/** The actions of people in a story; each returns the id of what was created. Most are operations of the surfaces. */
export const acts: { [does: string]: Carried } = {
  'create company': made(companies.create),
  'update company': changed(companies.update),
  'create contact': made(contacts.create),
  'update contact': changed(contacts.update),
  'create tag': made(tags.create),
  'create account': made(accounts.create),
  'update account': changed(accounts.update),
  'create template': made(templates.create),
  'create deal': made(projects.create),
  'update deal': changed(projects.update),
  'update project': changed(projects.update),
  'convert deal': convert,
  'update milestone': updateMilestone,
  'create task': made(tasks.create),
  'update task': changed(tasks.update),
  'add dependency': changed(dependencies.add),
  'start timer': changed(timer.start),
  'stop timer': changed(timer.stop),
  'create meeting': made(calendar.create),
  'update meeting': changed(calendar.update),
  'cancel meeting': changed(calendar.update),
  'respond to meeting': changed(calendar.respond),
  'answer invitation': answerByLink,
  'create insight': made(insights.create),
  'create document': made(documents.create),
  'update document': changed(documents.update),
  'request signatures': changed(signatures.request),
  'open document': asRecipient((ctx, id) => viewSigning(ctx, id, client)),
  'sign document': asRecipient((ctx, id, { name }) =>
    sign(ctx, id, { name: String(name) }, client),
  ),
  'decline document': asRecipient((ctx, id, { reason }) =>
    decline(ctx, id, String(reason), client),
  ),
  'seal document': sealNow,
  'create survey': made(surveys.create),
  'close survey': changed(surveys.close),
  'answer survey': answerSurvey,
  'automate survey': changed(surveyAutomations.save),
  comment: made(interactions.create),
  react: changed(interactionMarks.react),
  'read comments': changed(interactionMarks.markRead),
  'read notifications': changed(notifications.markAllRead),
  'create filter': made(filters.create),
  'create dashboard': made(dashboards.create),
  'create holidays': made(holidays.create),
  'change settings': changed(organizationSettings.update),
  'attach user': attachUser,
  'notify of due tasks': async ({ ctx }) => void (await notifyDue(ctx)),
  'measure health': async ({ ctx }) => void (await storeHealthDays(ctx, '', ctx.now())),
}

/** The address of outside signers: one reserved for documentation (RFC 5737). */
const client = {
  address: '203.0.113.24',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

const around = { query: {}, address: '', url: '' }

async function run(ctx: Context, operation: Operation, params: object, body: Body) {
  return (await operation.run(ctx, { ...around, params, body })) as Partial<Answer> | undefined
}

function made(operation: Operation): Carried {
  return async ({ ctx, body }) => (await run(ctx, operation, {}, body))?.meta?.id
}

function changed(operation: Operation): Carried {
  return async ({ ctx, id, body }) => {
    await run(ctx, operation, { id }, body)
    return undefined
  }
}

/** Creates the project of a won deal, and assigns keys to its milestones and tasks by their titles. */
async function convert({ ctx, key, body, name }: Act) {
  const { deal: id, ...rest } = body
  const project = (await run(ctx, projects.convert, { id }, rest))?.meta?.id
  const parts = await ctx.all<{ id: string; name: string }>(sql`
    select t.id, t.name from milestones t where ${mine(ctx)} and t.project_id = ${project}
    union all select t.id, t.title from tasks t where ${mine(ctx)} and t.project_id = ${project}`)
  for (const part of parts) name(`${key}: ${part.name}`, part.id)
  return project
}

async function updateMilestone({ ctx, id, body }: Act) {
  const { project, ...rest } = body
  await run(ctx, milestones.update, { id: project, milestone_id: id }, rest)
  return undefined
}

async function answerByLink({ ctx, id, body }: Act) {
  const { email, response } = body as { email: string; response: 'accepted' | 'declined' }
  await answerInvitation(ctx, { meeting: id, email }, response)
  return undefined
}

/** Acts through the link of a recipient. */
function asRecipient(act: (ctx: Context, recipient: string, body: Body) => Promise<void>): Carried {
  return async ({ ctx, id, body }) => {
    const found = await ctx.one<{ id: string }>(sql`
      select t.id from signature_recipients t
      join documents d on d.organization_id = $organization and d.signature_request = t.request_id
      where ${mine(ctx)} and d.id = ${id} and t.email = ${body.email}`)
    await act(ctx, present(found, `a recipient ${body.email}`).id, body)
    return undefined
  }
}

/**
 * Seals like the job, but in this process: starting another one would take longer than the file. Loaded here, because
 * starts without a story do not need it.
 */
async function sealNow({ ctx, id }: Act) {
  const { writeSealedPdf } = await import('../records/documents/sealing/pdf.ts')
  await seal({ reads: ctx, write: (write) => write(ctx) }, id, writeSealedPdf)
  return undefined
}

async function answerSurvey({ ctx, id, body }: Act) {
  const { email, ...answers } = body
  await submitResponse(ctx, id, { answers, respondent_email: String(email) })
  return undefined
}

/** Gives somebody from outside access to an account, as an administrator of users would. */
async function attachUser({ ctx, id, body }: Act) {
  await setUser(ctx, id, body)
  ctx.forget()
  return undefined
}
