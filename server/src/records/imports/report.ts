import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import { errorsOf } from './cells.ts'
import type { Outcome } from './outcome.ts'
import { unchanged } from './outcome.ts'
import { textOf } from './sheets/cell.ts'

/** What is said of a row: that it was lost, of which cells it lacks, or that its record exists. */
export function isReported(each: Outcome): boolean {
  return each.is === 'failed' || each.faults.length > 0 || isSkipped(each)
}

function isSkipped(each: Outcome): boolean {
  return each.is === 'skipped' && each.because !== unchanged
}

/** Stores what is to be said of the rows, for whoever reads or exports it. */
export async function storeErrors(ctx: Context, id: string, outcomes: Outcome[]) {
  const rows = outcomes.filter(isReported).flatMap((each) => {
    const { line } = each
    const cells = each.cells.map(textOf)
    const base = { line, cells, record_id: null }
    if (each.is === 'failed') {
      const { message } = each.failure
      return [{ ...base, id: newId(), phase: 'import', message, errors: errorsOf(each.failure) }]
    }
    const found = []
    if (each.faults.length) {
      const message = each.faults
        .map(({ column, value, message: why }) => `${column}: ${value} ${why}`)
        .join('; ')
      const record_id = recordOf(each)
      found.push({ ...base, id: newId(), phase: 'cell', message, errors: each.faults, record_id })
    }
    if (each.is === 'skipped' && isSkipped(each)) {
      const { because: message, record_id } = each
      const errors = [{ field: 'row', message }]
      found.push({ ...base, id: newId(), phase: 'skipped', message, errors, record_id })
    }
    return found
  })
  if (!rows.length) return
  await ctx.run(sql`insert into import_errors
      (organization_id, import_id, id, line, phase, message, errors, cells, record_id, creation_time)
    select ${ctx.organization.id}, ${id}, n.id, n.line, n.phase, n.message, n.errors, n.cells,
      n.record_id, ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as n (id text, line integer, phase text, message text, errors json, cells json,
        record_id text)`)
}

function recordOf(each: Outcome): string | null {
  if (each.is === 'created') return each.inserted.id
  if (each.is === 'updated') return each.changed.id
  return each.is === 'skipped' ? each.record_id : null
}
