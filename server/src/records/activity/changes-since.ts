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

type ChangedField = Static<typeof changedField>

/** The maximum number of log entries that are read of a record. */
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
  record: AnyRecord,
  id: string,
  version: number,
): Promise<ChangedField[]> {
  const changed = await changedSinceEach(ctx, record, [{ id, version }])
  return changed.get(id) ?? []
}

/** The same for many records, each after its own version, by their ids; the latest change is first. */
export async function changedSinceEach(
  ctx: Context,
  { number }: AnyRecord,
  records: { id: string; version: number }[],
): Promise<Map<string, ChangedField[]>> {
  if (!records.length) return new Map()
  const entries = await ctx.all<Entry>(sql`
    select e.* from json_to_recordset(${JSON.stringify(records)}) as r (id text, version integer)
    cross join lateral (
      select e.id, e.reference_id, e.raw_description, coalesce(e.changes, '[]'::json) as changes,
        e.actor_id, e.actor_name, e.occurred_at as at
      from events e
      where ${visibleEntries(ctx)} and e.module_id is not distinct from ${number}
        and e.reference_id = r.id and e.record_version > r.version
      order by e.id desc limit ${most}
    ) e order by e.id desc`)
  const found = new Map<string, Map<string, ChangedField>>()
  for (const entry of await withVisibleChanges(ctx, entries)) {
    const { reference_id, changes, actor_id, actor_name, at } = entry
    const of = found.get(reference_id ?? '') ?? new Map<string, ChangedField>()
    found.set(reference_id ?? '', of)
    for (const { field } of changes) {
      const by = { user_id: actor_id, full_name: actor_name }
      if (!of.has(field)) of.set(field, { field, by, at })
    }
  }
  return new Map([...found].map(([id, of]) => [id, [...of.values()]]))
}
