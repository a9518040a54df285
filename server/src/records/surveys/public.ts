import type { Context } from '../../kit/ground/context.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { crud } from '../../kit/crud.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { limitsOf, responseSchema, submissionSchema, submitResponse } from './submission.ts'
import { Survey } from './survey.ts'
import type { Ticket } from './ticket.ts'
import { openTicket, sealTicket } from './ticket.ts'

const plain = crud(Survey)
const byToken = {
  type: 'object',
  properties: { encrypted_token: { type: 'string' } },
  required: ['encrypted_token'],
}

/**
 * A survey by a link that says which and for whom: authenticated encryption, so that nobody can make
 * one up. A broken or foreign one is 404; one that has expired says so.
 */
export const publicSurvey = {
  link: {
    name: 'create_survey_link',
    summary: 'Make a token by which a survey is filled in',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: {
      params: plain.read.input.params!,
      body: {
        type: 'object',
        properties: {
          email: { type: ['string', 'null'], format: 'email', maxLength: 320 },
          expires_at: { type: ['string', 'null'], format: 'date-time' },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        encrypted_token: { type: 'string' },
        url: { type: 'string', description: 'the page on which it is filled in' },
        expires_at: { type: ['string', 'null'] },
      },
      required: ['encrypted_token', 'url', 'expires_at'],
    },
    async run(ctx: Context, { params, body }: Input) {
      await checkReadable(ctx, Survey, params.id)
      const { email = null, expires_at = null } = body ?? {}
      const expires = expires_at && instantOf(ctx, expires_at)
      if (expires && new Date(expires) <= ctx.now()) {
        throw badField('expires_at', 'must be in the future')
      }
      const encrypted_token = sealTicket(ctx, { survey: params.id, email, expires })
      const url = `${ctx.public_url}/s/${encrypted_token}`
      return { encrypted_token, url, expires_at: expires }
    },
  } satisfies Operation,
  read: {
    ...plain.read,
    name: 'read_public_survey',
    summary: 'Read a survey by its link',
    can: 'signed_in',
    topic: 'surveys',
    input: { params: byToken },
    async run(ctx: Context, { params }: Input) {
      const ticket = openTicket(ctx, params.encrypted_token)
      const survey = await survived(ctx, ticket)
      const limits = limitsOf(ctx, survey)
      return { ...survey, ...limits, respondent_email: ticket.email }
    },
  } satisfies Operation,
  submit: {
    name: 'submit_public_survey',
    summary: 'Answer a survey by its link',
    can: 'signed_in',
    topic: 'surveys',
    writes: true,
    input: { params: byToken, body: submissionSchema },
    output: responseSchema,
    async run(ctx: Context, { params, body }: Input) {
      const ticket = openTicket(ctx, params.encrypted_token)
      const email = ticket.email ?? body.respondent_email
      const given = { ...body, respondent_email: email }
      const response = await submitResponse(ctx, ticket.survey, given)
      return new Answer(response, { id: response.response_id })
    },
  } satisfies Operation,
}

function instantOf(ctx: Context, given: string): string {
  const instant = parseInstant(given, ctx.organization.timezone)
  if (!instant) throw badField('expires_at', 'must be a date and time in ISO 8601')
  return instant
}

/** The survey as its link shows it, whatever the caller may see of the others. */
async function survived(ctx: Context, { survey }: Ticket) {
  const row = await ctx.one<{ [field: string]: unknown }>(sql`
    select t.id as survey_id, t.organization_id as organization, t.account_id, t.item_type, t.name,
      t.description, t.form_structure, t.form_style, t.form_container_style, t.background_color,
      t.background_url, t.field_border, t.action_color, t.status, t.is_active, t.end_date,
      t.response_limit, t.one_per_email, t.closing_text, t.view_count, t.response_count,
      t.field_count, coalesce(t.tags, '[]') as tags, null as created_by, t.creation_time, t.last_update_time
    from surveys t where ${mine(ctx)} and t.id = ${survey} and t.deleted_at is null`)
  if (!row) throw notFound('Survey')
  return row
}
