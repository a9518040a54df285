import { Type } from 'typebox'
import { notFound } from '../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import type { Level } from '../../kit/ground/context.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { fieldTypes } from '../../kit/record/field-types.ts'
import { listedModule, recordsByModule } from '../by-module.ts'
import { readableRecords } from '../filters/module.ts'
import type { PathOf } from './describe.ts'
import { describe } from './describe.ts'

const level = enumeration<Level>(['all', 'team', 'own', 'none'], { title: 'PermissionLevel' })
const levels = { create: level, read: level, update: level, delete: level }

const moduleProperties = {
  module: Type.String(),
  module_id: orNull(Type.Integer()),
  path: orNull(Type.String({ description: 'of its list' })),
  key: Type.String({ description: 'the property that holds the id' }),
  title_field: Type.String({ description: 'the property that names a record to people' }),
  word: Type.Object({ one: Type.String(), many: Type.String() }, { title: 'ModuleWord' }),
  can: Type.Object(levels, { title: 'ModuleRights', description: 'what the caller may do' }),
  version: Type.Integer({ description: 'changes with anything of the description' }),
}

const describedModule = Type.Object(moduleProperties, { title: 'Module' })

const choice = Type.Object(
  {
    value: Type.String(),
    label: Type.String(),
    color: orNull(Type.String()),
    icon: orNull(Type.String()),
  },
  { title: 'FieldChoice' },
)

const reference = Type.Object(
  {
    module: Type.String(),
    key: Type.String(),
    title_field: Type.String(),
    path: orNull(Type.String()),
  },
  { title: 'FieldReference' },
)

const describedField = Type.Object(
  {
    name: Type.String({ description: 'as in records, conditions and sort keys' }),
    label: Type.String(),
    description: orNull(Type.String()),
    group: orNull(Type.String()),
    position: Type.Integer(),
    type: enumeration([...fieldTypes, 'id', 'list', 'reference'], { title: 'DescribedFieldType' }),
    is_custom: Type.Boolean(),
    is_required: Type.Boolean(),
    is_writable: Type.Boolean(),
    is_nullable: Type.Boolean(),
    is_unique: Type.Boolean(),
    is_sortable: Type.Boolean(),
    is_filterable: Type.Boolean(),
    operators: Type.Array(Type.String(), { description: 'that conditions on it may use' }),
    is_groupable: Type.Boolean(),
    is_summable: Type.Boolean(),
    max_length: orNull(Type.Integer()),
    minimum: orNull(Type.Number()),
    maximum: orNull(Type.Number()),
    default: Type.Unknown(),
    options: Type.Array(choice),
    reference: orNull(reference),
  },
  { title: 'DescribedField' },
)

/** Descriptions of the modules that the caller may read, from which screens and forms are drawn. */
export function moduleOperations(pathOf: PathOf) {
  return {
    list: operation({
      name: 'list_modules',
      summary: 'List modules',
      description: 'Those that the caller may read, with what it may do in each.',
      can: 'signed_in',
      topic: 'modules',
      writes: false,
      input: {},
      output: Type.Array(describedModule),
      run: (ctx) =>
        Promise.all(
          readableRecords(ctx).map(async (record) => {
            const { fields: _left, ...module } = await describe(ctx, record, pathOf)
            return module
          }),
        ),
    }),
    read: operation({
      name: 'read_module',
      summary: 'Retrieve a module with its fields',
      description: 'Labels, types, options and limits, of built-in and custom fields.',
      can: 'signed_in',
      topic: 'modules',
      writes: false,
      input: {
        params: Type.Object({ module: Type.String({ description: 'a word or number' }) }),
      },
      output: Type.Object(
        { ...moduleProperties, fields: Type.Array(describedField) },
        { title: 'ModuleWithFields' },
      ),
      async run(ctx, { params }) {
        const { module: name } = params
        const word = (/^\d+$/.test(name) ? listedModule(name) : name) ?? ''
        const record = Object.hasOwn(recordsByModule, word) ? recordsByModule[word] : undefined
        if (!record || !readableRecords(ctx).includes(record)) throw notFound('Module')
        const module = await describe(ctx, record, pathOf)
        return new Answer(module, { version: module.version })
      },
    }),
  }
}
