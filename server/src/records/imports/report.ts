import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { errorsOf } from './cells.ts'
import type { Outcome } from './outcome.ts'
import { nothing, unchanged, unwanted } from './outcome.ts'
import { textOf } from '../../model/sheets/cell.ts'

/** The reports about a row: that it failed, which cells were left out, or that its record exists. */
export function isReported(each: Outcome): boolean {
  return each.is === 'failed' || each.faults.length > 0 || isSkipped(each)
}

function isSkipped(each: Outcome): boolean {
  return each.is === 'skipped' && ![unchanged, unwanted, nothing].includes(each.because)
}

/** Stores the reports about rows, which can be read and exported. */
export async function storeErrors(ctx: Context, id: string, outcomes: Outcome[]) {
  const rows = outcomes.filter(isReported).flatMap((each): Reported[] => {
    const base = { line: each.line, cells: each.cells.map(textOf), record_id: recordOf(each) }
    if (each.is === 'failed') {
      const { message } = each.failure
      return [{ ...base, phase: 'import', message, errors: errorsOf(each.failure) }]
    }
    const found: Reported[] = []
    if (each.faults.length) {
      const message = each.faults
        .map(({ column, value, message: why }) => `${column}: ${value} ${why}`)
        .join('; ')
      found.push({ ...base, phase: 'cell', message, errors: each.faults })
    }
    if (each.is === 'skipped' && isSkipped(each)) {
      const { because: message } = each
      found.push({ ...base, phase: 'skipped', message, errors: [{ field: 'row', message }] })
    }
    return found
  })
  await insertErrors(ctx, id, rows)
}

type Reported = {
  line: number
  phase: 'import' | 'cell' | 'skipped' | 'undo'
  message: string
  errors: FieldError[]
  cells: string[] | null
  record_id: string | null
}

/** Stores errors of an import, of its rows or of its undo. */
export async function insertErrors(ctx: Context, id: string, errors: Reported[]) {
  if (!errors.length) return
  const rows = errors.map((each) => ({ ...each, id: newId() }))
  await ctx.run(sql`insert into import_errors
      (organization_id, import_id, id, line, phase, message, errors, cells, record_id, creation_time)
    select o.organization_id, ${id}, n.id, n.line, n.phase, n.message, n.errors, n.cells,
      n.record_id, ${ctx.now().toISOString()}
    from organizations o, json_to_recordset(${JSON.stringify(rows)}::json)
      as n (id text, line integer, phase text, message text, errors json, cells json,
        record_id text)
    where ${mine(ctx, 'o')}`)
}

function recordOf(each: Outcome): string | null {
  if (each.is === 'created') return each.inserted.id
  if (each.is === 'updated') return each.changed.id
  return each.is === 'skipped' ? each.record_id : null
}
