import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { instantIn } from '../../../kit/ground/dates.ts'
import { badField, notFound } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { Download } from '../../../kit/ground/stored-files.ts'
import { byId, crud } from '../../../kit/crud.ts'
import type { Row } from '../../../kit/record/record.ts'
import { surveyWith } from '../read.ts'
import { limitProperties, limitsOf } from '../responses/limits.ts'
import { submissionSchema } from '../../../model/surveys/responses/response.ts'
import { submitResponse, submittedOf, submittedSchema } from '../responses/submit.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { codeFormats, codeOf } from './qr.ts'
import { openTicket, sealTicket } from './ticket.ts'
import { checkReadable, readText } from '../../../kit/read/one.ts'

const byToken = Type.Object({ encrypted_token: Type.String() })

/**
 * A survey by a link whose token identifies it and its respondent. An invalid or foreign token is 404,
 * an expired one 409.
 */
export const publicSurvey = {
  link: operation({
    name: 'create_survey_link',
    summary: 'Create a link to a survey',
    description: 'With an e-mail address, the responses that come through the link belong to it.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: {
      params: byId,
      body: Type.Object({
        email: Type.Optional(orNull(Type.String({ format: 'email', maxLength: 320 }))),
        expires_at: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
      }),
    },
    output: Type.Object({
      encrypted_token: Type.String(),
      url: Type.String({ description: 'the page on which the survey is filled in' }),
      expires_at: orNull(Type.String({ format: 'date-time' })),
    }),
    async run(ctx, { params, body }) {
      await checkReadable(ctx, Survey, params.id)
      const { email = null, expires_at = null } = body
      const expires = expires_at && instantIn('expires_at', expires_at, ctx.organization.timezone)
      if (expires && new Date(expires) <= ctx.now()) {
        throw badField('expires_at', 'must be in the future')
      }
      const encrypted_token = sealTicket(ctx, {
        survey: params.id,
        email,
        expires,
        ...(email ? { by: ctx.actor.user_id ?? undefined } : {}),
      })
      const url = `${ctx.public_url}/s/${encrypted_token}`
      return { encrypted_token, url, expires_at: expires }
    },
  }),
  code: operation({
    name: 'draw_survey_code',
    summary: 'Draw a QR code of the link to a survey',
    description: 'Of a link for everybody, which does not expire.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: {
      params: byId,
      query: Type.Object({
        format: Type.Optional(
          enumeration(codeFormats, { title: 'CodeFormat', description: '`svg` when absent' }),
        ),
        size: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 40,
            description: 'pixels of one module of the code: 8 when absent',
          }),
        ),
      }),
    },
    output: {},
    gives: '*/*',
    async run(ctx, { params, query: { format = 'svg', size = 8 } }) {
      await checkReadable(ctx, Survey, params.id)
      const token = sealTicket(ctx, { survey: params.id, email: null, expires: null })
      const { type, bytes } = await codeOf(`${ctx.public_url}/s/${token}`, format, size)
      return new Download({
        name: `survey-code.${format}`,
        type,
        size: bytes.length,
        // each link to it is sealed anew, and leads to the same
        hash: createHash('sha256').update(`${params.id} ${format} ${size}`).digest('hex'),
        modified: ctx.now(),
        isInline: false,
        open: async (range) =>
          Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
      })
    },
  }),
  read: operation({
    ...crud(Survey).read,
    name: 'read_public_survey',
    summary: 'Retrieve a survey by its link',
    can: 'signed_in',
    topic: 'surveys',
    input: { params: byToken },
    output: surveyWith('PublicSurvey', {
      ...limitProperties,
      respondent_email: orNull(Type.String({ description: 'whose link this is' })),
    }),
    async run(ctx, { params }) {
      const ticket = openTicket(ctx, params.encrypted_token)
      const survey = await linkedSurvey(ctx, ticket.survey)
      return { ...survey, ...limitsOf(ctx, survey), respondent_email: ticket.email }
    },
  }),
  submit: operation({
    name: 'submit_public_survey',
    summary: 'Submit a response to a survey by its link',
    description: 'A link of somebody’s own takes one response; 409 `answered` for another.',
    existing: 'The unfinished response was continued.',
    can: 'signed_in',
    topic: 'surveys',
    writes: true,
    input: { params: byToken, body: submissionSchema },
    output: submittedSchema,
    async run(ctx, { params, body }) {
      const ticket = openTicket(ctx, params.encrypted_token)
      const respondent_email = ticket.email ?? body.respondent_email
      const own = ticket.email ? { own: { email: ticket.email, schedule_id: ticket.schedule } } : {}
      const input = { ...body, respondent_email }
      const origin = { schedule_id: ticket.schedule }
      return submittedOf(await submitResponse(ctx, ticket.survey, input, { ...own, origin }))
    },
  }),
}

type LinkedSurvey = Row<typeof Survey> & { version: number }

/** The survey of a link as the caller sees surveys, even if their rights do not include this one. */
async function linkedSurvey(ctx: Context, id: string): Promise<LinkedSurvey> {
  const found = await ctx.one<{ version: number }>(sql`select t.version from surveys t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null`)
  if (!found) throw notFound('Survey')
  const shown = JSON.parse(await readText(ctx, Survey, id)) as Row<typeof Survey>
  return { ...shown, created_by: null, version: found.version }
}
