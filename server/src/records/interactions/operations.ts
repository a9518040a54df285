import { Type } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { createInteraction } from './create.ts'
import { createBody, listQuery, moduleOfRecord, recordId, updateBody } from './input.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { listInteractions } from './list.ts'
import { toggleReaction } from './react.ts'
import { markRead, unreadCounts } from './read-state.ts'
import { readInteraction, writtenInteraction } from './read.ts'
import { removeInteraction } from './remove.ts'
import { summarize, summary } from './summary.ts'
import { updateInteraction } from './update.ts'

const plain = crud(Interaction)
const interaction = readSchema(Interaction)

export const interactions = {
  list: operation({
    name: 'list_interactions',
    summary: 'List interactions',
    description:
      'Threads by their first comment, the replies to one, or all replies in some threads.',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: { query: listQuery },
    output: Type.Object({
      results: arrayOf(interaction),
      next_cursor: orNull(Type.String()),
    }),
    run: (ctx, { query }) => listInteractions(ctx, query),
  }),
  create: operation({
    ...plain.create,
    input: { body: createBody },
    run: async (ctx, { body }) => writtenInteraction(ctx, await createInteraction(ctx, body)),
  }),
  read: operation({
    ...plain.read,
    run: (ctx, { params }) => readInteraction(ctx, params.id),
  }),
  update: operation({
    ...plain.update,
    input: { params: byId, body: updateBody },
    run: async (ctx, { params, body, ifMatch }) =>
      writtenInteraction(ctx, await updateInteraction(ctx, params.id, body, ifMatch)),
  }),
  remove: operation({
    ...plain.remove,
    run: (ctx, { params, ifMatch }) => removeInteraction(ctx, params.id, ifMatch),
  }),
}

/** What readers add to comments: reactions and read marks. */
export const interactionMarks = {
  react: operation({
    name: 'toggle_reaction',
    summary: 'Add or remove your reaction to an interaction',
    description: 'A reaction that you have added already is removed.',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: Type.Object({
        interaction_id: recordId,
        reaction: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
      }),
    },
    output: interaction,
    run: (ctx, { body }) => toggleReaction(ctx, body.interaction_id, body.reaction),
  }),
  markRead: operation({
    name: 'mark_interactions_read',
    summary: 'Mark interactions as read',
    description: 'Those with the ids in `interaction_ids`, or all of a record.',
    can: { module: 'interactions', action: 'read' },
    writes: true,
    input: {
      body: Type.Object({
        interaction_ids: Type.Optional(Type.Array(recordId, { maxItems: 500 })),
        interaction_id: Type.Optional(Type.Unknown({ description: 'one id, as text' })),
        module_name: Type.Optional(moduleOfRecord),
        module_id: Type.Optional(moduleOfRecord),
        reference_id: Type.Optional(recordId),
      }),
    },
    output: Type.Object({ status: Type.String(), marked: Type.Integer() }),
    run: (ctx, { body }) => markRead(ctx, body),
  }),
  unreadCounts: operation({
    name: 'count_unread_interactions',
    summary: 'Count the unread interactions of records',
    can: { module: 'interactions', action: 'read' },
    writes: false,
    input: {
      body: Type.Object({
        module_name: Type.Optional(moduleOfRecord),
        module_id: Type.Optional(moduleOfRecord),
        reference_ids: Type.Optional(Type.Array(recordId, { maxItems: 500 })),
        reference_id: Type.Optional(Type.Unknown({ description: 'one record, as text' })),
      }),
    },
    output: Type.Object({
      counts: Type.Record(Type.String(), Type.Integer(), { description: 'by reference_id' }),
      total: Type.Integer(),
    }),
    run: (ctx, { body }) => unreadCounts(ctx, body),
  }),
}

export const summarizeInteractions = operation({
  name: 'summarize_interactions',
  summary: 'Summarize the interactions of a record',
  description: 'Counts, participants and the last activity, of one record or of all.',
  can: { module: 'interactions', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      module_name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
      module_id: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
      reference_id: Type.Optional(recordId),
    }),
  },
  output: summary,
  run: (ctx, { query }) => summarize(ctx, query),
})
