import type { Context } from '../../kit/ground/context.ts'
import type { Option } from '../../kit/record/custom.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

export const optionSchema: JSONSchema = {
  type: 'object',
  properties: {
    value: { type: 'string' },
    label: { type: 'string' },
    color: { type: ['string', 'null'] },
    icon: { type: ['string', 'null'] },
    position: { type: 'integer' },
    is_default: { type: 'boolean' },
  },
  required: ['value', 'label', 'color', 'icon', 'position', 'is_default'],
}

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

/** Reads a module's option sets: what a form offers for its fields. */
export function readOptions(module: string, word: string, names: string[]): Operation {
  return {
    name: `read_${word}_options`,
    summary: `The option sets of ${module}`,
    can: { module, action: 'read' },
    writes: false,
    input: {},
    output: {
      type: 'object',
      properties: Object.fromEntries(
        names.map((name) => [name, { type: 'array', items: optionSchema }]),
      ),
      required: names,
    },
    async run(ctx) {
      const sets = await optionSets(ctx, module)
      return Object.fromEntries(names.map((name) => [name, sets[name] ?? []]))
    },
  }
}
