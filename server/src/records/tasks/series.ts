import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { equal } from '../../kit/ground/object.ts'
import type { Recurrence, RecurrenceStatus } from '../../model/recurrence/recurrence.ts'
import { calendarOfProject } from '../../model/holidays/calendar.ts'
import { nextOccurrence, recurrenceFrom } from '../../model/recurrence/recurrence.ts'
import { today } from '../../model/time/dates.ts'
import type { Row } from '../../kit/record/record.ts'
import type { Task } from '../../model/tasks/task.ts'

type Pattern = string | { [key: string]: unknown }

/** The start of a series, and the calendar of its holidays. */
type Planned = { due_date?: string | null; project_id?: string | null }

/** The columns of the first task of a series. */
export async function newSeries(
  ctx: Context,
  pattern: Pattern,
  { due_date, project_id }: Planned,
  status: RecurrenceStatus | null | undefined,
) {
  const from = due_date ?? today(ctx)
  const calendar = await calendarOfProject(ctx, project_id)
  return {
    is_recurring: true,
    recurrence_pattern: JSON.stringify(await recurrenceFrom(ctx, pattern, from, calendar)),
    recurrence_status: status ?? 'active',
    recurrence_date: from,
  }
}

type TaskRow = Row<typeof Task>

type SeriesColumns = {
  is_recurring?: boolean
  recurrence_pattern?: string | null
  recurrence_status?: string | null
  recurrence_date?: string | null
}

/** The parts of a task's change that affect its series; whether the task is then completed, and whether by this change. */
type SeriesChange = Planned & {
  pattern?: Pattern | null
  status?: RecurrenceStatus | null
  isDone: boolean
  isCompleted: boolean
}

/**
 * The columns of the series that a change of its task sets, and whether the next task must be created
 * now: if the series does not follow the calendar, when the task is completed, or when the series is resumed
 * after that. 400 for the status of a task that does not recur.
 */
export async function seriesAfter(
  ctx: Context,
  row: TaskRow,
  change: SeriesChange,
): Promise<{ columns: SeriesColumns; goesOn: boolean }> {
  const { pattern, status, isDone, isCompleted } = change
  const columns: SeriesColumns =
    pattern === undefined ? {} : await changedSeries(ctx, pattern, row, change)
  if (status && status !== row.recurrence_status) {
    if (!row.is_recurring && !pattern) {
      throw badField('recurrence_status', 'this task does not recur')
    }
    columns.recurrence_status = status
  }
  const before = row.recurrence_status
  const { recurrence_status: after = before, recurrence_pattern: written } = columns
  const recurrence = written ? (JSON.parse(written) as Recurrence) : row.recurrence_pattern
  // this change ends or pauses the series, so there is no next task
  if (after !== 'active' || !recurrence) return { columns, goesOn: false }
  const isResumed = before === 'paused'
  if (isResumed) Object.assign(columns, await fromToday(ctx, recurrence, change))
  const isNext = isResumed ? isDone : isCompleted && before === 'active'
  const goesOn = isNext && recurrence.mode !== 'on_schedule'
  if (goesOn) columns.recurrence_status = 'completed'
  return { columns, goesOn }
}

/** The columns of a series that is resumed today: days during the pause are skipped. */
async function fromToday(
  ctx: Context,
  recurrence: Recurrence,
  { project_id }: Planned,
): Promise<SeriesColumns> {
  const day = today(ctx)
  if (!recurrence.next_occurrence || recurrence.next_occurrence >= day) return {}
  const yesterday = addDays(day, -1)
  const calendar = await calendarOfProject(ctx, project_id)
  const last = { nominal: yesterday, day: yesterday }
  const next = await nextOccurrence(ctx, recurrence, last, calendar)
  const pattern = { ...recurrence, next_occurrence: next?.day ?? null }
  return { recurrence_date: yesterday, recurrence_pattern: JSON.stringify(pattern) }
}

/** The columns of a task whose pattern changes; null ends the series. */
async function changedSeries(
  ctx: Context,
  pattern: Pattern | null,
  row: TaskRow,
  { due_date, project_id }: Planned,
): Promise<SeriesColumns> {
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
  const from = due_date ?? row.due_date ?? today(ctx)
  const calendar = await calendarOfProject(ctx, project_id)
  const stored = row.recurrence_pattern ?? {}
  const recurrence = await recurrenceFrom(ctx, pattern, from, calendar, stored)
  if (equal(recurrence, row.recurrence_pattern)) return {}
  return {
    is_recurring: true,
    recurrence_pattern: JSON.stringify(recurrence),
    recurrence_status: row.recurrence_status ?? 'active',
    recurrence_date: from,
  }
}
