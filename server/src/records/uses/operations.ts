import { Type } from 'typebox'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { usesOf } from './uses.ts'

/** What uses a record, before it is deleted. */
export const listUses = operation({
  name: 'list_uses',
  summary: 'List what uses a record',
  description:
    'For those who may delete the record: the records that name it, by kind and field, with the first five that the caller may read. ' +
    'References are shown empty once it is deleted, and what names it in conditions, widgets or settings has no effect; ' +
    'a restore brings both back.',
  can: 'signed_in',
  writes: false,
  lane: 'heavy',
  input: {
    params: Type.Object({
      module: Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'the module, or the word of one of its records, such as pipeline; or field, option or status',
      }),
      id: Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'the record or status; a custom field as module.key, an option as module.field.value',
      }),
    }),
  },
  output: arrayOf(
    Type.Object(
      {
        word: Type.String({ description: 'the kind of record that uses it' }),
        module: Type.String({ description: 'its module' }),
        field: Type.String({ description: 'the field that names it' }),
        count: Type.Integer({ description: 'how many the caller may read' }),
        hidden: Type.Integer({ description: 'how many others there are' }),
        records: Type.Array(
          Type.Object({
            id: Type.String({ description: 'the record that uses it' }),
            name: orNull(Type.String({ description: 'its name' })),
          }),
          { description: 'the first five that the caller may read' },
        ),
        effect: Type.Union([Type.Literal('shown_empty'), Type.Literal('without_effect')], {
          description: 'what a delete does to them until it is undone',
        }),
      },
      { title: 'Use' },
    ),
  ),
  run: (ctx, { params }) => usesOf(ctx, params.module, params.id),
})
