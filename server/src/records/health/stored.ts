import type { Context, Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { levelOf } from '../../kit/record/scope.ts'
import type { InputName } from '../../model/health/inputs.ts'
import { inputNames, inputs } from '../../model/health/inputs.ts'

/** The inputs of stored days that the caller sees: those of modules of which it sees all records. */
export function readableInputs({ actor }: Context): InputName[] {
  return inputNames.filter((name) => levelOf(actor, inputs[name].module, 'read') === 'all')
}

/** The score of a stored day `d` as the caller sees it: without the points of inputs that it does not see. */
export function storedScore(ctx: Context): Query {
  const names = readableInputs(ctx)
  if (names.length === inputNames.length) return sql`d.score::integer`
  const points = names.map(
    (name) => sql`coalesce((d.inputs #>> ${`{${name},points}`})::integer, 0)`,
  )
  const sum = points.length ? sql.join(points, sql` + `) : sql`0`
  return sql`(case when d.is_set or d.day is null then d.score else greatest(0, 100 - (${sum})) end)::integer`
}
