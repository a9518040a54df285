import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Level } from '../../kit/ground/context.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { fieldTypes } from '../../kit/record/field-types.ts'
import { fieldLooks, fieldPlaces } from '../../kit/record/record.ts'
import { layoutSchema } from './layout-shape.ts'

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
  version: Type.Integer({ description: 'changes with any part of the description' }),
}

/** A module as the caller may use it. */
export const describedModule = Type.Object(moduleProperties, { title: 'Module' })

/** One choice of a field, as a form offers it. */
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

/** A field as a table, a form or a filter editor needs it. */
const describedField = Type.Object(
  {
    name: Type.String({ description: 'as in records, conditions and sort keys' }),
    label: Type.String(),
    description: orNull(Type.String()),
    group: orNull(Type.String()),
    position: Type.Integer(),
    place: enumeration([...fieldPlaces], {
      title: 'FieldPlace',
      description:
        'where a page shows it: `strip`, the figures below the name; `rail`, the details beside the work; `more`, with all fields; `system`, last among these',
    }),
    place_position: Type.Integer({ description: 'its order among the fields of its place' }),
    type: enumeration([...fieldTypes, 'id', 'list', 'reference'], { title: 'DescribedFieldType' }),
    look: orNull(
      enumeration([...fieldLooks], {
        title: 'FieldLook',
        description:
          'how it is shown, where the type does not say: `due` is a day that may be overdue, `bytes`, `duration` (seconds) and `days_left` are numbers with a unit, `signers` is who has signed',
      }),
    ),
    is_custom: Type.Boolean(),
    is_shown: Type.Boolean({ description: "whether pages show it among a record's facts" }),
    is_required: Type.Boolean(),
    is_writable: Type.Boolean(),
    is_nullable: Type.Boolean(),
    is_internal: Type.Boolean({ description: 'whether it is hidden from customers and partners' }),
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

/** A module as the caller may use it, with its fields. */
export const moduleWithFields = Type.Object(
  {
    ...moduleProperties,
    layout: orNull(layoutSchema),
    fields: Type.Array(describedField),
  },
  { title: 'ModuleWithFields' },
)

export type DescribedField = Static<typeof describedField>
export type ModuleWithFields = Static<typeof moduleWithFields>
