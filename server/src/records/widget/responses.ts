import type { Context } from '../../kit/context.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import { Answer } from '../../kit/operation.ts'
import { arrayOf } from '../../kit/schema.ts'
import { levelOf } from '../../kit/scope.ts'
import { mine, sql } from '../../kit/sql.ts'

/** What people have sent through the feedback form; for those who read all surveys, else none of it. */
export const listWidgetResponses: Operation = {
  name: 'list_widget_responses',
  summary: 'List the feedback sent through the form, newest first',
  can: { module: 'surveys', action: 'read' },
  topic: 'widget',
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1, maximum: 2_000_000_000 },
        items_per_page: { type: 'integer', minimum: 1, maximum: 500, description: '25' },
        email: { type: 'string', maxLength: 320, description: 'of this person only' },
      },
    },
  },
  output: arrayOf({
    title: 'WidgetResponse',
    type: 'object',
    properties: {
      response_id: { type: 'string' },
      answers: { type: 'object', description: 'by the names of the form’s fields' },
      email: { type: ['string', 'null'] },
      page_url: { type: ['string', 'null'], description: 'where the form was shown' },
      user_id: { type: ['string', 'null'], description: 'who was signed in' },
      creation_time: { type: 'string', format: 'date-time' },
    },
    required: ['response_id', 'answers', 'email', 'page_url', 'user_id', 'creation_time'],
  }),
  async run(ctx: Context, { query }: Input) {
    const { page: number = 1, items_per_page: size = 25, email } = query
    const seesAll = !ctx.actor.is_confined && levelOf(ctx.actor, 'surveys', 'read') === 'all'
    const rows = await ctx.all(sql`
      select t.id as response_id, t.answers, t.email, t.page_url, t.user_id, t.creation_time
      from widget_responses t where ${mine(ctx)} and ${seesAll}
        ${email ? sql`and lower(t.email) = lower(${email}::text)` : sql``}
      order by t.id desc limit ${size + 1} offset ${(number - 1) * size}`)
    const more = rows.length > size
    return new Answer(rows.slice(0, size), { page: { number, size, more } })
  },
}
