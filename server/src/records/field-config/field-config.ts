import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Definition, Option } from '../../kit/record/field-types.ts'
import { readsInternal, shownTo } from '../../kit/record/audience.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { builtIns } from './built-in.ts'
import { optionSchema } from './options.ts'
import { optionSets } from '../../kit/record/option-sets.ts'
import { fieldTypes } from '../../kit/record/field-types.ts'

/** The type of a field, built-in or custom. */
export const fieldType = enumeration(fieldTypes, { title: 'FieldType' })

/** The same, and the further types of built-in fields. */
export const cataloguedType = enumeration([...fieldTypes, 'list', 'address', 'reference'], {
  title: 'CatalogueFieldType',
})

/** A field of a record, built-in or custom, with the organization's settings. */
export const definitionSchema = Type.Object(
  {
    key: Type.String(),
    label: Type.String(),
    type: fieldType,
    required: Type.Boolean(),
    unique: Type.Boolean(),
    description: orNull(Type.String()),
    options: Type.Array(optionSchema),
    default: Type.Unknown(),
    position: Type.Integer(),
    group: orNull(Type.String()),
    is_archived: Type.Boolean(),
    is_shared: Type.Boolean({ description: 'customers and partners are shown its values' }),
    is_built_in: Type.Boolean(),
  },
  { title: 'FieldDefinition' },
)

/** The field configuration of a record. */
export const fieldConfigSchema = Type.Object(
  { module: Type.String(), fields: Type.Array(definitionSchema) },
  { title: 'FieldConfig' },
)

/** Built-in fields with the organization's labels, then its custom fields, in their order. */
export async function currentFields(ctx: Context, record: AnyRecord): Promise<Definition[]> {
  const stored = await storedDefinitions(ctx, record)
  const shown = shownTo(ctx, record)
  const options = await currentOptions(ctx, shown)
  const fields = builtIns(shown).map((field) => {
    const words = stored.get(field.key)
    stored.delete(field.key)
    return {
      ...field,
      ...words,
      type: field.type,
      default: words?.default ?? field.default,
      options: options.get(field.key) ?? field.options,
    }
  })
  const isShown = (field: Definition) =>
    readsInternal(ctx.actor) || (field.is_shared && !field.is_built_in)
  const own = [...stored.values()].filter(isShown)
  return [...fields, ...own].sort((a, b) => a.position - b.position)
}

/** The options of each field. Not from the cache, because a write must see its own transaction's rows. */
async function currentOptions(ctx: Context, { fields }: AnyRecord) {
  const chosen = Object.entries(fields).flatMap(([key, { optionSet }]) =>
    optionSet ? [{ key, ...optionSet }] : [],
  )
  const offered = new Map<string, Option[]>()
  for (const [module, its] of Map.groupBy(chosen, (each) => each.module)) {
    const sets = await optionSets({ ...ctx, cached: (_name, load) => load(ctx) }, module)
    for (const { key, name } of its) offered.set(key, sets[name] ?? [])
  }
  return offered
}

async function storedDefinitions(
  ctx: Context,
  record: AnyRecord,
): Promise<Map<string, Definition>> {
  const rows = await ctx.all<Definition>(sql`
    select key, label, type, required, is_unique as "unique", description, options,
      default_value as "default", position, field_group as "group", is_archived, is_shared, is_built_in
    from field_definitions t where ${mine(ctx)} and module = ${record.module} order by position, key`)
  return new Map(rows.map((row) => [row.key, row]))
}
