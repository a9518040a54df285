import type { AnyRecord } from '../../kit/record/record.ts'

/** The record with these fields as stored, without what reads compute or add. */
export function asStored<R extends AnyRecord>(record: R, names: string[]): R {
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, field]) => {
      const { read: _read, readSchema: _schema, shared: _shared, ...stored } = field
      return [name, names.includes(name) ? stored : field]
    }),
  )
  return { ...record, fields } as R
}
