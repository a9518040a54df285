import { Type } from 'typebox'
import { schema } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import type { Option } from '../../kit/record/field-types.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { catalogueOf, catalogueSchema } from './catalogue.ts'
import { fieldConfigBody } from './input.ts'
import { mergeFields } from './merge.ts'
import { optionSchema } from './options.ts'
import { optionSets } from '../../kit/record/option-sets.ts'
import { listSets, removeOption, setBody, setSchema, updateSet } from './set-editor.ts'

/** Reading and merging the field configuration of one record. */
export function fieldConfig(record: AnyRecord) {
  const { module, word } = record
  return {
    read: operation({
      name: `read_${word}_field_config`,
      summary: `Retrieve the field configuration of ${module}`,
      description: 'Its fields, built-in and custom, with what a form needs of each.',
      can: { module, action: 'read' },
      writes: false,
      input: {},
      output: catalogueSchema,
      run: (ctx) => catalogueOf(ctx, record),
    }),
    update: operation({
      name: `update_${word}_field_config`,
      summary: `Update the field configuration of ${module}`,
      description: 'Adds fields, and merges those that exist by their key; all or nothing.',
      can: { module, action: 'update' },
      writes: true,
      input: { body: fieldConfigBody },
      output: catalogueSchema,
      run: async (ctx, { body }) => {
        await mergeFields(ctx, record, Array.isArray(body) ? body : body.fields)
        return catalogueOf(ctx, record)
      },
    }),
  }
}

/** Reading the option sets of a module: what a form offers for its fields. */
export function readOptions(module: string, word: string, names: string[]) {
  return operation({
    name: `read_${word}_options`,
    summary: `Retrieve the option sets of ${module}`,
    can: { module, action: 'read' },
    writes: false,
    input: {},
    output: schema<{ [set: string]: Option[] }>({
      type: 'object',
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'array', items: optionSchema }]),
      ),
      required: names,
    }),
    async run(ctx) {
      const sets = await optionSets(ctx, module)
      return Object.fromEntries(names.map((name) => [name, sets[name] ?? []]))
    },
  })
}

// the required right depends on the module in the request
const can = 'signed_in' as const
const topic = 'option sets'
const path = { module: Type.String(), set: Type.String() }

/**
 * The options of a module's fields, which the organization can edit. Whoever may read the module
 * reads its sets; whoever may update all of it edits them.
 */
export const optionSetOperations = {
  list: operation({
    name: 'list_option_sets',
    summary: 'List option sets',
    description: 'Of one module, or of all that you may read.',
    can,
    topic,
    writes: false,
    input: {
      query: Type.Object({
        module: Type.Optional(
          Type.String({ minLength: 1, maxLength: 40, description: 'a word or number' }),
        ),
      }),
    },
    output: Type.Array(setSchema),
    run: (ctx, { query }) => listSets(ctx, query.module),
  }),
  update: operation({
    name: 'update_option_set',
    summary: 'Update an option set',
    description: 'Options merge by value; one is archived with `is_archived`, and never removed.',
    can,
    topic,
    writes: true,
    input: { params: Type.Object(path), body: setBody },
    output: setSchema,
    run: (ctx, { params, body }) => updateSet(ctx, params, body.options),
  }),
  remove: operation({
    name: 'delete_option',
    summary: 'Delete an option from its set',
    description: 'Records that have the value keep it.',
    can,
    topic,
    writes: true,
    input: { params: Type.Object({ ...path, value: Type.String() }) },
    output: null,
    async run(ctx, { params }) {
      await removeOption(ctx, params)
      return new Answer(null)
    },
  }),
}
