import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Option } from '../../kit/record/custom.ts'

/** One choice of a field. */
export const optionSchema = Type.Object(
  {
    value: Type.String(),
    label: Type.String(),
    color: orNull(Type.String()),
    icon: orNull(Type.String()),
    position: Type.Integer(),
    is_default: Type.Boolean(),
  },
  { title: 'FieldOption' },
)

type Sets = { [set: string]: Option[] }

/** The organization's option sets of a module, by name, each in its order; what is archived is left out. */
export function optionSets(ctx: Context, module: string): Promise<Sets> {
  return ctx.cached(`option sets ${module}`, async (committed) => {
    const rows = await committed.all<Option & { set_name: string }>(sql`
      select set_name, value, label, color, icon, position, is_default
      from option_sets t where ${mine(ctx)} and module = ${module} and not is_archived
      order by set_name, position, value`)
    const sets: Sets = {}
    for (const { set_name, ...option } of rows) (sets[set_name] ??= []).push(option)
    return sets
  })
}
