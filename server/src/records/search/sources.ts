import type { AnyRecord } from '../../kit/record/record.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { records } from '../all.ts'

/**
 * What the search looks through, by the fields that a record's `q` looks into, of which the first is
 * its title. Who finds what is decided by the record's own rights.
 */
export const sources: AnyRecord[] = records.flatMap((record) => {
  const { searchable } = record
  if (!searchable) return []
  return [searchable === true ? record : onlyOf(record, searchable.only)]
})

/** The record as it is found where only some of its rows are, such as the latest versions. */
function onlyOf(record: AnyRecord, condition: string): AnyRecord {
  const visible: AnyRecord['visible'] = (ctx, action) =>
    all(record.visible?.(ctx, action), sql.raw(condition))
  return { ...record, visible }
}
