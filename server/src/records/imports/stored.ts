import type { AnyRecord } from '../../kit/record/record.ts'

/** The record with these fields as they are stored, and not as reads compute them where nothing is. */
export function asStored<R extends AnyRecord>(record: R, names: string[]): R {
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, field]) => {
      const { read: _read, readSchema: _schema, ...stored } = field
      return [name, names.includes(name) ? stored : field]
    }),
  )
  return { ...record, fields } as R
}
