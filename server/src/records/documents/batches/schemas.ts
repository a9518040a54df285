import { Type } from 'typebox'
import type { Static } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { condition } from '../../../kit/read/condition.ts'

/** How many lines one batch has at most, and seconds that it can be held. */
export const most = { lines: 500, hold: 600 }

const id = (description: string) =>
  Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25, description })))
const person = {
  contact_id: id('a contact, with their name and address'),
  user_id: id('a user of the organization'),
  name: Type.Optional(Type.String({ maxLength: 255 })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
}
const values = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ maxLength: 500 }), Type.String({ maxLength: 2000 }), {
      description,
      maxProperties: 100,
    }),
  )

const line = Type.Object(
  {
    ...person,
    roles: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Object(person, { title: 'BatchRolePerson', additionalProperties: false }),
        { description: 'who has further roles, by name or key', maxProperties: 50 },
      ),
    ),
    account_id: id(
      'the account that it is for; that of the project, or of the contact, by default',
    ),
    project_id: id('the project that it is for'),
    values: values('texts for placeholders, by path, of this line alone'),
  },
  { title: 'BatchLine', additionalProperties: false },
)

/** Whom one document is sent to. */
export const batchBody = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'send nothing (false)' })),
    lines: Type.Optional(
      Type.Array(line, {
        minItems: 1,
        maxItems: most.lines,
        description: 'each is a document and a request of its own',
      }),
    ),
    contacts: Type.Optional(
      Type.Object(
        {
          filter: Type.Optional(
            Type.Array(condition, { maxItems: 50, description: 'conditions as in the list' }),
          ),
          q: Type.Optional(Type.String({ maxLength: 200, description: 'text to search for' })),
        },
        {
          additionalProperties: false,
          description: `in place of \`lines\`: a line for each contact that they find, ${most.lines} at most`,
        },
      ),
    ),
    role: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'the name of one of the roles, whose part the person of a line has; the first that is open by default',
      }),
    ),
    document_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'that of the document by default; may have placeholders',
      }),
    ),
    message: Type.Optional(
      orNull(Type.String({ maxLength: 2000, description: 'in place of the one that is prepared' })),
    ),
    values: values('texts for placeholders, by path, of all lines'),
    expires_at: Type.Optional(
      orNull(Type.String({ format: 'date-time', description: 'in place of what is prepared' })),
    ),
    all_or_nothing: Type.Optional(
      Type.Boolean({
        description:
          'refuse all for one wrong line (400 naming `lines.…`); otherwise those are left out (false)',
      }),
    ),
    hold_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: most.hold,
        description: 'how long it can be cancelled before anything leaves (30)',
      }),
    ),
  },
  { title: 'SignatureBatchRequest', additionalProperties: false },
)
export type BatchBody = Static<typeof batchBody>
export type BatchLine = Static<typeof line>

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** What a batch comes to, or what was started. */
export const batchPlan = Type.Object(
  {
    batch_id: orNull(Type.String({ description: 'null of a dry run' })),
    starts_at: orNull(
      Type.String({ format: 'date-time', description: 'until then nothing leaves' }),
    ),
    ready_count: Type.Integer({ minimum: 0, description: 'lines that are sent' }),
    wrong_count: Type.Integer({ minimum: 0, description: 'lines that are not' }),
    lines: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ minimum: 0, description: 'its place in the list, from 0' }),
          name: Type.String(),
          email: Type.String(),
          account_name: orNull(Type.String()),
          problems: Type.Array(
            Type.Object(
              {
                field: Type.String({ description: 'as in the body, such as `lines.0.email`' }),
                message: Type.String(),
              },
              { title: 'BatchProblem', additionalProperties: false },
            ),
            { description: 'why it cannot be sent; empty if it can' },
          ),
        },
        { title: 'BatchPlanLine', additionalProperties: false },
      ),
      { description: 'in the order of the request' },
    ),
  },
  { title: 'SignatureBatchPlan', additionalProperties: false },
)

const batch = {
  batch_id: Type.String({ description: 'for reading and cancelling it' }),
  status: enumeration(['held', 'running', 'done', 'cancelled', 'failed'], {
    title: 'SignatureBatchStatus',
    description: 'held: nothing has left yet; cancelled: what had left until then stays',
  }),
  starts_at: Type.String({ format: 'date-time', description: 'until then nothing leaves' }),
  finished_at: orNull(Type.String({ format: 'date-time' })),
  line_count: count('lines that were ready'),
  sent_count: count('lines that have left'),
  failed_count: count('lines that could not be sent'),
  failure: orNull(Type.String({ description: 'why the whole batch ended early' })),
  created_by: orNull(Type.String({ description: 'the full name of who started it' })),
  creation_time: Type.String({ format: 'date-time' }),
}

/** A batch, without its lines. */
export const batchSchema = Type.Object(batch, {
  title: 'SignatureBatch',
  additionalProperties: false,
})

/** A batch with what came of each line. */
export const batchWithLines = Type.Object(
  {
    ...batch,
    lines: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ minimum: 0, description: 'its place in the request, from 0' }),
          name: Type.String(),
          email: Type.String(),
          document_id: orNull(Type.String({ description: 'the document that was sent' })),
          failure: orNull(Type.String({ description: 'why it was not sent' })),
        },
        { title: 'SignatureBatchLine', additionalProperties: false },
      ),
      {
        description:
          'those that were ready: all of your own batch, or if you may read every contact, else those whose document you may read',
      },
    ),
  },
  { title: 'SignatureBatchWithLines', additionalProperties: false },
)
export type Batch = Static<typeof batchSchema>
