import type { Static } from 'typebox'
import { Type } from 'typebox'
import { orNull } from '../../../kit/ground/json-schema.ts'

const id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 25, description }))

/** Somebody who is invited by mail to have a role. */
const invitation = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    full_name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
  },
  { title: 'TemplateInvitation', additionalProperties: false },
)

/** The body of a use of a template: a new project, one for a won deal, or a running one. */
export const useBody = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'write nothing (false)' })),
    draft: Type.Optional(
      Type.Boolean({ description: 'with `dry_run`: the draft of the template, if it has one' }),
    ),
    rows: Type.Optional(
      Type.Boolean({ description: 'answer the dates of each line, too (false)' }),
    ),
    project_name: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: 255,
        description: 'of the new project; by default the name of the deal or of the template',
      }),
    ),
    account_id: id('of the new project; a deal has its own'),
    deal_id: id('the won deal whose project it becomes'),
    project_id: id('the running project to which it is added'),
    start_date: Type.Optional(
      Type.String({ format: 'date', description: 'the first day (today)' }),
    ),
    go_live_date: Type.Optional(
      Type.String({ format: 'date', description: 'the last day, in place of the first one' }),
    ),
    roles: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Union([Type.String({ minLength: 1, maxLength: 25 }), Type.Null(), invitation]),
        {
          description:
            'who has each role: an id, an address to which an invitation is mailed, null for nobody; by default the owner, the manager or the team of the project',
        },
      ),
    ),
    milestones: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 40_000 }), {
        minItems: 1,
        maxItems: 2000,
        description: 'the places of those that are added, from 0 (all)',
      }),
    ),
    without: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: 2000,
        description: 'the ids, or else the titles, of tasks that are left out (none)',
      }),
    ),
    after: Type.Optional(
      orNull(
        Type.String({
          minLength: 1,
          maxLength: 25,
          description:
            'the milestone of the running project, by its id, behind which it is added, null for the first place; by default the last one',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)

export type UseBody = Static<typeof useBody>
