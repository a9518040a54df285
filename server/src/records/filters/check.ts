import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { checkList } from '../../kit/read/filter-registry.ts'
import { readableRecord } from './module.ts'

type Saved = {
  module: string
  conditions?: unknown[]
  columns?: string[]
  sort?: string | null
}

/** Refuses what a list of the module would refuse, and columns that are no fields of it. */
export async function checkFilter(
  ctx: Context,
  { module, conditions = [], columns = [], sort = null }: Saved,
): Promise<void> {
  const record = readableRecord(ctx, module)
  await checkList(ctx, record, { conditions, sort })
  for (const column of columns) {
    const isKnown = Object.hasOwn(record.fields, column)
    if (isKnown || (record.open && /^custom_fields\../.test(column))) continue
    const names = Object.keys(record.fields).join(', ')
    throw badField('columns', `${column} is not a field; fields are ${names}`)
  }
}
