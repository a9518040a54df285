import { Type } from 'typebox'
import type { Context } from '../ground/context.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import { extend, orNull, schema } from '../ground/json-schema.ts'
import type { Operation } from '../ground/operation.ts'
import { mine, sql } from '../ground/sql.ts'
import type { AnyRecord } from '../record/record.ts'
import { registered } from '../record/registry.ts'
import type { Sort } from './sort.ts'

/**
 * A list of records that can be restored: with `deleted=true` it lists those that the caller may restore. Its operation
 * passes the parameter on to `listPage`.
 */
export function withDeleted(list: Operation): Operation {
  const query = schema<{ [name: string]: unknown }>(list.input.query ?? {})
  const { items } = list.output as { items: JSONSchema }
  return {
    ...list,
    input: { ...list.input, query: extend(query, { deleted }) as unknown as JSONSchema },
    output: { ...list.output, items: { allOf: [items, deletion] } } as JSONSchema,
  }
}

const deleted = Type.Optional(
  Type.Boolean({
    description:
      'true lists the deleted records that the caller may restore, the latest deletion first, each with `deleted_at` and `deleted_by`',
  }),
)

const deletion = Type.Object(
  {
    deleted_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'when it was deleted' }),
    ),
    deleted_by: Type.Optional(
      orNull(
        Type.Object(
          {
            user_id: orNull(Type.String({ description: 'null where it was no person' })),
            full_name: Type.String({ description: 'the name at the time of the deletion' }),
          },
          { description: 'null where the log has no entry of it' },
        ),
      ),
    ),
  },
  { title: 'Deletion', description: 'only with `deleted=true`' },
)

/** The latest deletion first, as the index of deleted rows has them; the other way round if reversed. */
export function byDeletion(reverse = false): Sort[] {
  const common = { descends: !reverse, isIndexed: true }
  return [
    {
      ...common,
      name: 'deleted_at',
      sql: 't.deleted_at',
      value: sql.raw('t.deleted_at'),
      cast: 'timestamptz',
    },
    { ...common, name: 'id', sql: 't.id', value: sql.raw('t.id'), cast: 'varchar' },
  ]
}

type Found = { id: string; deleted_at: string; user_id: string | null; full_name: string | null }

/** The texts of a page's records, each with when and, by the log, by whom it was deleted. */
export async function withDeletion(
  ctx: Context,
  { table }: AnyRecord,
  ids: string[],
  texts: string[],
): Promise<string[]> {
  if (!texts.length) return texts
  const numbers = registered()
    .filter((each) => each.table === table)
    .flatMap(({ number }) => number ?? [])
  const ofModule = numbers.length
    ? sql`e.module_id = any(${numbers}::smallint[])`
    : sql`e.module_id is null`
  const found = await ctx.all<Found>(sql`
    select t.id, t.deleted_at, e.user_id, e.full_name from ${sql.table(table)} t
    left join lateral (
      select case when e.actor_type = 'user' then e.actor_id end as user_id,
        e.actor_name as full_name
      from events e where ${mine(ctx, 'e')} and ${ofModule} and e.reference_id = t.id
        and e.raw_description ->> 'action' = 'deleted'
      order by e.id desc limit 1) e on true
    where ${mine(ctx)} and t.id = any(${ids.slice(0, texts.length)})`)
  const known = new Map(found.map((each) => [each.id, each]))
  return texts.map((text, at) => {
    const { deleted_at = '', user_id, full_name } = known.get(ids[at] ?? '') ?? {}
    const deleted_by = full_name ? { user_id, full_name } : null
    const more = JSON.stringify({ deleted_at, deleted_by })
    return `${text.slice(0, -1)},${more.slice(1)}`
  })
}
