import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

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
        page: pageProperties.page,
        items_per_page: pageProperties.items_per_page,
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
    const { email } = query
    const { number, size, limit, skip } = pageOf(query)
    const seesAll = !ctx.actor.is_confined && levelOf(ctx.actor, 'surveys', 'read') === 'all'
    const rows = await ctx.all(sql`
      select t.id as response_id, t.answers, t.email, t.page_url, t.user_id, t.creation_time
      from widget_responses t where ${mine(ctx)} and ${seesAll}
        ${email ? sql`and lower(t.email) = lower(${email}::text)` : sql``}
      order by t.id desc limit ${limit} offset ${skip}`)
    const more = rows.length > size
    return new Answer(rows.slice(0, size), { page: { number, size, more } })
  },
}
