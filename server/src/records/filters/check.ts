import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import type { GroupUnit, Measured } from '../../kit/read/figures.ts'
import { checkFigures } from '../../kit/read/figures.ts'
import { checkList } from '../../kit/read/filter-registry.ts'
import { shownTo } from '../../kit/record/audience.ts'
import { Filter } from '../../model/filters/filter.ts'
import { readableRecord } from '../../model/readable-module.ts'

type Report = {
  by: string
  unit?: GroupUnit | null
  width?: number | null
  then?: string | null
  then_unit?: GroupUnit | null
  measures?: string
}

type Figured = Measured & { by: string }

type Saved = {
  module: string
  conditions?: unknown[]
  columns?: string[]
  sort?: string | null
  group_by?: string | null
  column_widths?: { [field: string]: unknown }
  report?: Report | null
}

/** The parts of a saved filter that refer to fields of its module. */
export const checked = [
  'module',
  'conditions',
  'columns',
  'sort',
  'group_by',
  'column_widths',
  'report',
]

/** Refuses what a list of the module would refuse, and columns that are not fields of it. */
export async function checkFilter(
  ctx: Context,
  {
    module,
    conditions = [],
    columns = [],
    sort = null,
    group_by,
    column_widths = {},
    report,
  }: Saved,
): Promise<void> {
  const record = readableRecord(ctx, module)
  await checkList(ctx, record, { conditions, sort })
  if (report) {
    const named = Object.entries(report).filter(([, value]) => value !== null)
    await checkFigures(ctx, record, Object.fromEntries(named) as Figured, 'report.')
  }
  const { fields } = shownTo(ctx, record)
  const named: [field: string, column: string][] = [
    ...columns.map((column): [string, string] => ['columns', column]),
    ...(group_by ? [['group_by', group_by] as [string, string]] : []),
    ...Object.keys(column_widths).map((column): [string, string] => ['column_widths', column]),
  ]
  for (const [field, column] of named) {
    const isKnown = Object.hasOwn(fields, column)
    if (isKnown || (record.open && /^custom_fields\../.test(column))) continue
    throw badField(field, `${column} is not a field; fields are ${Object.keys(fields).join(', ')}`)
  }
}

/** 400 for keys of a body that are not properties of a saved filter; those in reads are ignored. */
export function checkProperties(body: object): void {
  const errors: FieldError[] = unknownKeys(body, [...Object.keys(Filter.fields), ...alsoRead], '')
  if (errors.length) throw badFields(errors)
}

/** Keys that reads have besides the fields. */
const alsoRead = ['version', 'can']
