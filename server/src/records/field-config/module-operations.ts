import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { moduleNumber, moduleWord } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { wordOf } from '../../kit/record/record.ts'
import { registered } from '../../kit/record/registry.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { labelOf } from './built-in.ts'
import { currentFields, fieldConfigSchema } from './field-config.ts'
import { fieldConfigBody } from './input.ts'
import { lockFields, mergeFields } from './merge.ts'

const module = Type.String({ description: 'a word or number' })
const common = { topic: 'organization', can: 'signed_in' } as const

/**
 * The fields of every module that has custom ones. Whoever may read the module reads them; whoever may
 * update all of it changes them.
 */
export const fieldSettings = {
  read: operation({
    ...common,
    name: 'read_fields',
    summary: 'Retrieve the fields of a module',
    description: 'Built-in and custom, in their order.',
    writes: false,
    input: { params: Type.Object({ module }) },
    output: fieldConfigSchema,
    async run(ctx, { params }) {
      const record = recordNamed(params.module)
      if (levelOf(ctx.actor, record.module, 'read') === 'none') {
        throw forbidden(`Your role may not read ${record.module}`)
      }
      return { module: record.module, fields: await currentFields(ctx, record) }
    },
  }),
  update: operation({
    ...common,
    name: 'update_fields',
    summary: 'Create and update fields of a module',
    description:
      'Fields merge by their key, options by their value; `position` orders them. All or nothing.',
    writes: true,
    input: { params: Type.Object({ module }), body: fieldConfigBody },
    output: fieldConfigSchema,
    async run(ctx, { params, body }) {
      const record = editable(ctx, params.module)
      await mergeFields(ctx, record, Array.isArray(body) ? body : body.fields)
      return { module: record.module, fields: await currentFields(ctx, record) }
    },
  }),
  remove: operation({
    ...common,
    name: 'delete_field',
    summary: 'Delete a custom field',
    description: 'One that no record has a value of; others can be archived.',
    writes: true,
    input: { params: Type.Object({ module, key: Type.String() }) },
    output: null,
    run: (ctx, { params }) => removeField(ctx, editable(ctx, params.module), params.key),
  }),
}

/** The record of a module with custom fields; 404 for another. */
function recordNamed(name: string): AnyRecord {
  // names in a path are lower case
  const number = name === name.toLowerCase() ? moduleNumber(name) : undefined
  const word = number === undefined ? name : moduleWord(number)
  const open = registered().filter((each) => each.open && 'custom_fields' in each.fields)
  const found = open.find((each) => wordOf(each) === word || each.module === word)
  if (found) return found
  throw notFound('Module with custom fields')
}

function editable(ctx: Context, name: string): AnyRecord {
  const record = recordNamed(name)
  if (ctx.actor.is_confined || levelOf(ctx.actor, record.module, 'update') !== 'all') {
    throw forbidden(`Your role may not change every one of ${record.module}, so not their fields`)
  }
  return record
}

async function removeField(ctx: Context, record: AnyRecord, key: string): Promise<void> {
  await lockFields(ctx, record)
  const found = (await currentFields(ctx, record)).find((field) => field.key === key)
  if (!found) throw notFound('Field')
  if (found.is_built_in) throw conflict(`${key} is built in and cannot be deleted`)
  const used = await ctx.one(sql`select from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.custom_fields ? ${key} limit 1`)
  if (used) throw conflict(`${key} holds data: archive it with is_archived`, 'field_in_use')
  await ctx.run(sql`delete from field_definitions t
    where ${mine(ctx)} and t.module = ${record.module} and t.key = ${key}`)
  ctx.forget()
  await announce(ctx, record, 'reconfigured', {
    id: null,
    title: `${labelOf(record.word)} fields changed`,
    action: 'field_config',
    changes: [{ field: key, from: found, to: null }],
    more: { name: undefined, keys: [key] },
  })
}
