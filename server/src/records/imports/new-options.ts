import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields, forbidden } from '../../kit/ground/errors.ts'
import { levelOf } from '../../kit/record/scope.ts'
import type { ImportRow } from '../../model/imports/import.ts'
import { mergeFields } from '../field-config/merge.ts'
import { importables } from './importables.ts'
import { targetsOf } from './mapping.ts'
import { optionField } from './value-columns.ts'

type Planned = Pick<ImportRow, 'module' | 'columns' | 'mapping' | 'options'>

/**
 * Makes options of the values of columns that were chosen to become some; false if there are none. 400 for a column
 * whose field has none, 403 if the caller may not change the fields of the module.
 */
export async function addOptions(
  ctx: Context,
  { module, columns, mapping, options }: Planned,
): Promise<boolean> {
  const wanted = Object.entries(options.new_options).filter(([, values]) => values.length)
  if (!wanted.length) return false
  const importable = importables[module]
  const targets = await targetsOf(ctx, importable, columns, mapping)
  const errors: FieldError[] = []
  const fields = wanted.flatMap(([column, values]) => {
    const target = targets.get(columns.indexOf(column))
    const key = target && optionField(importable, target)
    if (key) return [{ key, options: values }]
    errors.push({ field: `new_options.${column}`, message: 'is no column of a field with options' })
    return []
  })
  if (errors.length) throw badFields(errors)
  if (levelOf(ctx.actor, importable.record.module, 'update') === 'none') {
    throw forbidden(`Your role may not add options of ${module}`)
  }
  await mergeFields(ctx, importable.record, fields)
  return true
}
