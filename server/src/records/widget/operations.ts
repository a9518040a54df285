import { Type } from 'typebox'
import { arrayOf, orNull, schema } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { updateBody, updateWidget } from './update.ts'
import { widgetSchema } from './widget.ts'

const { page, items_per_page } = pageProperties

const responseSchema = Type.Object(
  {
    response_id: Type.String(),
    answers: schema<{ [name: string]: unknown }>({
      type: 'object',
      additionalProperties: true,
      description: 'by the names of the form’s fields',
    }),
    email: orNull(Type.String()),
    page_url: orNull(Type.String({ description: 'the page that showed the form' })),
    user_id: orNull(Type.String({ description: 'the user who was signed in' })),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'WidgetResponse' },
)

/** The feedback form of the organization, for its members. */
export const widget = {
  update: operation({
    name: 'update_widget_config',
    summary: 'Update the feedback form of the organization',
    description:
      'Absent members of `theme` and `form` stay as they are, and so do answers to removed fields. ' +
      'Requires the right to update all surveys.',
    can: { module: 'surveys', action: 'update' },
    topic: 'widget',
    writes: true,
    input: { body: updateBody },
    output: widgetSchema,
    run: (ctx, { body }) => updateWidget(ctx, body),
  }),
  responses: operation({
    name: 'list_widget_responses',
    summary: 'List the responses to the feedback form',
    description: 'Newest first; empty without the right to read all surveys.',
    can: { module: 'surveys', action: 'read' },
    topic: 'widget',
    writes: false,
    input: {
      query: Type.Object({
        page,
        items_per_page,
        email: Type.Optional(
          Type.String({ maxLength: 320, description: 'responses with this e-mail address' }),
        ),
      }),
    },
    output: arrayOf(responseSchema),
    async run(ctx, { query }) {
      const { email } = query
      const { number, size, limit, skip } = pageOf(query)
      const seesAll = mayAll(ctx.actor, 'surveys', 'read')
      const rows = await ctx.all(sql`
        select t.id as response_id, t.answers, t.email, t.page_url, t.user_id, t.creation_time
        from widget_responses t where ${mine(ctx)} and ${seesAll}
          ${email ? sql`and lower(t.email) = lower(${email}::text)` : sql``}
        order by t.id desc limit ${limit} offset ${skip}`)
      const more = rows.length > size
      return new Answer(rows.slice(0, size), { page: { number, size, more } })
    },
  }),
}
