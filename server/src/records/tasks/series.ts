import type { Context } from '../../kit/ground/context.ts'
import { equal } from '../../kit/ground/object.ts'
import type { RecurrenceStatus } from './recurrence.ts'
import { recurrenceFrom } from './recurrence.ts'
import { today } from './dates.ts'
import type { Row } from '../../kit/record/record.ts'
import type { Task } from './task.ts'

type Pattern = string | { [key: string]: unknown }

/** The columns of a task that begins a series. */
export async function newSeries(
  ctx: Context,
  pattern: Pattern,
  due: string | null | undefined,
  status: RecurrenceStatus | null | undefined,
) {
  const from = due ?? today(ctx)
  return {
    is_recurring: true,
    recurrence_pattern: JSON.stringify(await recurrenceFrom(ctx, pattern, from)),
    recurrence_status: status ?? 'active',
    recurrence_date: from,
  }
}

/** The columns of a task whose pattern changes; null ends the series. */
export async function changedSeries(
  ctx: Context,
  pattern: Pattern | null,
  row: Row<typeof Task>,
  due: string | null | undefined,
) {
  if (pattern === null) {
    if (!row.is_recurring) return {}
    return {
      is_recurring: false,
      recurrence_pattern: null,
      recurrence_status: null,
      recurrence_date: null,
    }
  }
  // a client that sends back what it read does not change the series
  if (equal(pattern, row.recurrence_pattern)) return {}
  const from = due ?? row.due_date ?? today(ctx)
  const recurrence = await recurrenceFrom(ctx, pattern, from)
  if (equal(recurrence, row.recurrence_pattern)) return {}
  return {
    is_recurring: true,
    recurrence_pattern: JSON.stringify(recurrence),
    recurrence_status: row.recurrence_status ?? 'active',
    recurrence_date: from,
  }
}
