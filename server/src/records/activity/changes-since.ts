import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { visibleEntries } from './visible.ts'
import { withVisibleChanges } from './visible-changes.ts'

/** Who changed a field of a record last, and when. */
export const changedField = Type.Object(
  {
    field: Type.String(),
    by: Type.Object(
      { user_id: orNull(Type.String()), full_name: orNull(Type.String()) },
      { title: 'ChangedBy', additionalProperties: false },
    ),
    at: Type.String({ format: 'date-time' }),
  },
  { title: 'ChangedField', additionalProperties: false },
)

/** The maximum number of log entries that are read. */
const most = 100

type Entry = {
  reference_id: string | null
  raw_description: { [key: string]: unknown }
  changes: Change[]
  actor_id: string | null
  actor_name: string | null
  at: string
}

/**
 * The fields of a record that were changed after a version, with the last change of each, by whom and when,
 * as far as the caller may see it in the log.
 */
export async function changedSince(
  ctx: Context,
  { number }: AnyRecord,
  id: string,
  version: number,
): Promise<Static<typeof changedField>[]> {
  const entries = await ctx.all<Entry>(sql`
    select e.reference_id, e.raw_description, coalesce(e.changes, '[]'::json) as changes, e.actor_id,
      e.actor_name, e.occurred_at as at
    from events e
    where ${visibleEntries(ctx)} and e.module_id is not distinct from ${number}
      and e.reference_id = ${id} and e.record_version > ${version}
    order by e.id desc limit ${most}`)
  const changed = new Map<string, Static<typeof changedField>>()
  for (const { changes, actor_id, actor_name, at } of await withVisibleChanges(ctx, entries)) {
    for (const { field } of changes) {
      const by = { user_id: actor_id, full_name: actor_name }
      if (!changed.has(field)) changed.set(field, { field, by, at })
    }
  }
  return [...changed.values()]
}
