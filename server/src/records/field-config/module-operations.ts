import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound, stale } from '../../kit/ground/errors.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { moduleInPath } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { wordOf } from '../../kit/record/record.ts'
import { registered } from '../../kit/record/registry.ts'
import { levelOf, mayAll } from '../../kit/record/scope.ts'
import { lockFields } from '../../kit/write/unique.ts'
import { holdsData } from './check.ts'
import { currentFields, fieldConfigSchema } from './field-config.ts'
import { fieldConfigBody } from './input.ts'
import { announceFields, mergeFields } from './merge.ts'

const module = Type.String({ description: 'a word or number' })
const common = { topic: 'organization', can: 'signed_in' } as const

const update = operation({
  ...common,
  name: 'update_fields',
  summary: 'Create and update fields of a module',
  description:
    'Fields merge by their key, options by their value; `position` orders them. All or nothing.',
  writes: true,
  isVersioned: true,
  input: { params: Type.Object({ module }), body: fieldConfigBody },
  output: fieldConfigSchema,
  async run(ctx, { params, body, ifMatch }) {
    const record = editable(ctx, params.module)
    if (ifMatch) {
      await lockFields(ctx, record.module)
      const { meta } = await configOf(ctx, record)
      if (!ifMatch.includes(meta.version ?? 0)) throw stale()
    }
    await mergeFields(ctx, record, Array.isArray(body) ? body : body.fields)
    return configOf(ctx, record)
  },
})

/**
 * The fields of every module that has custom ones. Whoever may read the module reads them; whoever may
 * update all of it changes them.
 */
export const fieldSettings = {
  list: operation({
    ...common,
    name: 'list_fields',
    summary: 'List the fields of modules',
    description: 'Built-in and custom, in their order: of one module, or of all that you may read.',
    writes: false,
    input: {
      query: Type.Object({
        module: Type.Optional(
          Type.String({ minLength: 1, maxLength: 40, description: 'a word or number' }),
        ),
      }),
    },
    output: arrayOf(fieldConfigSchema),
    async run(ctx, { query }) {
      const found = query.module === undefined ? withFields() : [recordIn(query.module)]
      const isReadable = ({ module: its }: AnyRecord) => levelOf(ctx.actor, its, 'read') !== 'none'
      if (query.module !== undefined && !found.every(isReadable)) {
        throw forbidden(`Your role may not read ${query.module}`)
      }
      const each = found.filter(isReadable).map(async (record) => ({
        module: record.module,
        fields: await currentFields(ctx, record),
      }))
      return Promise.all(each)
    },
  }),
  update,
  ofModule: operation({
    ...common,
    name: 'read_module_fields',
    summary: 'Retrieve the field configuration of a module',
    description: 'Built-in and custom fields, in their order, archived ones too.',
    writes: false,
    input: { params: Type.Object({ module }) },
    output: fieldConfigSchema,
    async run(ctx, { params }) {
      const record = recordNamed(params.module)
      if (levelOf(ctx.actor, record.module, 'read') === 'none') {
        throw forbidden(`Your role may not read ${record.module}`)
      }
      return configOf(ctx, record)
    },
  }),
  updateOfModule: operation({
    ...update,
    name: 'update_module_fields',
    summary: 'Update the field configuration of a module',
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

/**
 * The fields of a module. They are stored in several tables, including option sets, so their version is
 * a number computed from their contents.
 */
async function configOf(ctx: Context, record: AnyRecord): Promise<Answer> {
  const config = { module: record.module, fields: await currentFields(ctx, record) }
  const hash = createHash('sha256').update(JSON.stringify(config)).digest()
  return new Answer(config, { version: hash.readUIntBE(0, 6) })
}

/** The records with custom fields. */
function withFields(): AnyRecord[] {
  return registered().filter((each) => each.open && 'custom_fields' in each.fields)
}

/** The record of a module with custom fields in a path; 404 for another. */
function recordNamed(name: string): AnyRecord {
  const found = named(name)
  if (!found) throw notFound('Module with custom fields')
  return found
}

/** The same in a query; 400 names the possible ones. */
function recordIn(name: string): AnyRecord {
  const found = named(name)
  if (found) return found
  const words = withFields().map((each) => each.module)
  throw badField('module', `must be one of ${words.join(', ')}`)
}

function named(name: string): AnyRecord | undefined {
  const word = moduleInPath(name) ?? name
  return withFields().find((each) => wordOf(each) === word || each.module === word)
}

function editable(ctx: Context, name: string): AnyRecord {
  const record = recordNamed(name)
  if (!mayAll(ctx.actor, record.module, 'update')) {
    throw forbidden(`Only a role that may update all ${record.module} may change their fields`)
  }
  return record
}

async function removeField(ctx: Context, record: AnyRecord, key: string): Promise<void> {
  await lockFields(ctx, record.module)
  const found = (await currentFields(ctx, record)).find((field) => field.key === key)
  if (!found) throw notFound('Field')
  if (found.is_built_in) throw conflict(`${key} is built in and cannot be deleted`)
  if (await holdsData(ctx, record, key))
    throw conflict(`${key} holds data: archive it with is_archived`, 'field_in_use')
  await ctx.run(sql`delete from field_definitions t
    where ${mine(ctx)} and t.module = ${record.module} and t.key = ${key}`)
  await announceFields(ctx, record, [{ field: key, from: found, to: null }])
}
