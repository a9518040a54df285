import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Definition, Option } from '../../kit/record/field-types.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'

/** Stores a definition. */
export async function saveField(ctx: Context, record: AnyRecord, field: Definition) {
  // the options of a built-in field are in its option set
  const options = JSON.stringify(field.is_built_in ? [] : field.options)
  const fallback =
    field.default === null || field.default === undefined ? null : JSON.stringify(field.default)
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into field_definitions (organization_id, id, module, key, label, type, required, is_unique,
      description, options, default_value, position, field_group, is_archived, is_shared,
      is_built_in, creation_time, last_update_time)
    values (${ctx.organization.id}, ${newId()}, ${record.module}, ${field.key}, ${field.label},
      ${field.type}, ${field.required}, ${field.unique}, ${field.description}, ${options},
      ${fallback}, ${field.position}, ${field.group}, ${field.is_archived}, ${field.is_shared},
      ${field.is_built_in}, ${now}, ${now})
    on conflict (organization_id, module, key) do update set label = excluded.label,
      type = excluded.type, required = excluded.required, is_unique = excluded.is_unique,
      description = excluded.description, options = excluded.options,
      default_value = excluded.default_value, position = excluded.position,
      field_group = excluded.field_group, is_archived = excluded.is_archived,
      is_shared = excluded.is_shared, last_update_time = excluded.last_update_time`)
}

/** Stores the options of a built-in field in its option set. */
export async function saveOptions(
  ctx: Context,
  { module, name }: NonNullable<Field['optionSet']>,
  options: Option[],
): Promise<void> {
  const rows = options.map(
    ({
      value,
      label,
      color,
      icon,
      position,
      is_default,
    }) => sql`(${ctx.organization.id}, ${newId()},
      ${module}, ${name}, ${value}, ${label}, ${color}, ${icon}, ${position}, ${is_default})`,
  )
  await ctx.run(sql`
    insert into option_sets (organization_id, id, module, set_name, value, label, color, icon, position, is_default)
    values ${sql.join(rows)}
    on conflict (organization_id, module, set_name, value) do update set label = excluded.label,
      color = excluded.color, icon = excluded.icon, position = excluded.position,
      is_default = excluded.is_default, is_archived = false`)
}
