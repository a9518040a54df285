import type { Context } from '../../kit/ground/context.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isUnique } from '../../kit/write/unique.ts'

/**
 * Indexes the values of a field that has become unique, or drops the index. 409 if stored values are not
 * unique. Text is compared case-folded, as `uniqueForm` in the kit does for single writes.
 */
export async function reindexUnique(ctx: Context, record: AnyRecord, field: Definition) {
  const { key } = field
  await ctx.run(sql`delete from unique_values t
    where ${mine(ctx)} and module = ${record.module} and key = ${key}`)
  if (!isUnique(field)) return
  const value = sql`custom_fields -> ${key}::text`
  const form = sql`case when jsonb_typeof(${value}) = 'string' then lower(custom_fields ->> ${key}::text)
    else (${value})::text end`
  const holders = sql`from ${sql.table(record.table)} t
    where ${mine(ctx)} and deleted_at is null and custom_fields ? ${key}::text`
  const taken = await ctx.one<{ form: string }>(
    sql`select ${form} as form ${holders} group by 1 having count(*) > 1 limit 1`,
  )
  if (taken) throw conflict(`${key} cannot be unique: "${taken.form}" occurs more than once`)
  await ctx.run(sql`
    insert into unique_values (organization_id, module, key, value, record_id)
    select t.organization_id, ${record.module}, ${key}, ${form}, t.id ${holders}`)
}
