import type { Static } from 'typebox'
import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import { escapeHtml, safeHtml } from '../../kit/ground/html.ts'
import { Interaction } from '../../model/interactions/interaction.ts'

/** The id of a record in a body or query. */
export const recordId = Type.String({ minLength: 1, maxLength: 25 })

/** The module of a record in a body, by number or word. */
export const moduleOfRecord = schema<number | string>({
  type: ['integer', 'string'],
  maxLength: 40,
})

const people = Type.Array(Type.Union([recordId, Type.Object({ user_id: recordId })]), {
  maxItems: 50,
})

const attachments = Type.Optional(
  Type.Array(recordId, { maxItems: 50, description: 'ids of documents' }),
)

/** The body that writes a comment. */
export const createBody = extend(createSchema(Interaction), {
  module_id: Type.Optional(moduleOfRecord),
  module_name: Type.Optional(moduleOfRecord),
  reference_id: Type.Optional(recordId),
  parent_interaction_id: Type.Optional(orNull(Type.String({ maxLength: 25 }))),
  mentions: Type.Optional(people),
  visible_to_users: Type.Optional(people),
  attachment_ids: attachments,
})

/** The body that changes a comment. */
export const updateBody = extend(updateSchema(Interaction), {
  mentions: Type.Optional(people),
  visible_to_users: Type.Optional(people),
  attachment_ids: attachments,
})

/** The query of the list of comments. */
export const listQuery = Type.Object({
  module_name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  module_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'same as module_name' }),
  ),
  reference_id: Type.Optional(idInQuery()),
  interaction_type: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  parent_interaction_id: Type.Optional(idInQuery('lists the replies to this comment')),
  thread_ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2600,
      description:
        'comma-separated ids of first comments, at most 100: lists all replies in these threads',
    }),
  ),
  is_pinned: Type.Optional(Type.Boolean()),
  is_resolved: Type.Optional(Type.Boolean()),
  items_per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'comments per page (20)' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'same as items_per_page' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: 'next_cursor of the previous answer' }),
  ),
  next_cursor: Type.Optional(Type.String({ maxLength: 4000, description: 'same as cursor' })),
  sort: Type.Optional(
    schema<'asc' | 'desc' | 'creation_time' | '-creation_time'>({
      title: 'InteractionSort',
      type: 'string',
      enum: ['asc', 'desc', 'creation_time', '-creation_time'],
      description: 'by creation_time (desc)',
    }),
  ),
  reverse: Type.Optional(Type.Boolean({ description: 'oldest first; with sort, newest first' })),
})

export type NewInteraction = Static<typeof createBody>
export type InteractionChanges = Static<typeof updateBody>
export type InteractionQuery = Static<typeof listQuery>

/** Content as it is stored: HTML is sanitized, text without a tag is unchanged. */
export function storedContent(content: string): string {
  return /<[a-z!/]/i.test(content) ? safeHtml(content) || escapeHtml(content) : content
}
