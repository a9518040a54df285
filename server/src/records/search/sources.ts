import type { AnyRecord } from '../../kit/record/record.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { records } from '../../model/all.ts'

/**
 * The sources of the search: the fields that a record's `q` searches, of which the first is
 * its title. The record's own rights decide who finds what.
 */
export const sources: AnyRecord[] = records.flatMap((record) => {
  const { searchable } = record.find
  if (!searchable) return []
  return [searchable === true ? record : onlyOf(record, searchable.only)]
})

/** The record with the condition on its searchable rows, such as the latest versions, if it has one. */
function onlyOf(record: AnyRecord, condition: string): AnyRecord {
  const visible: AnyRecord['rights']['visible'] = (ctx, action) =>
    all(record.rights.visible?.(ctx, action), sql.raw(condition))
  return { ...record, rights: { ...record.rights, visible } }
}
