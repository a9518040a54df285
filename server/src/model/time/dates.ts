import type { Context, Query } from '../../kit/ground/context.ts'
import type { DayWord } from '../../kit/ground/dates.ts'
import { dayRange, dayWords, today as todayOf } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { sql } from '../../kit/ground/sql.ts'

/** `due_filter` over `t`: days of the organization's zone; undefined for `show_all`. */
export function dueCondition(ctx: Context, word: DayWord | undefined): Query | undefined {
  if (!word) return undefined
  const range = dayRange(word, clockOf(ctx))
  return range ? sql`t.due_date between ${range.from}::date and ${range.to}::date` : undefined
}

/** The values of `due_filter` in lists of the application surface: those of days, and `overdue`. */
export const dueWords = [...dayWords.slice(0, 10), 'overdue'] as const
export type DueWord = DayWord | 'overdue'
export const dueFilter = enumeration<DueWord>(dueWords, { title: 'DueFilter' })

/** The same as `dueCondition`, with `overdue` for rows that meet `isOpen` and were due before today. */
export function dueOrOverdue(
  ctx: Context,
  word: DueWord | undefined,
  isOpen: Query,
): Query | undefined {
  if (word !== 'overdue') return dueCondition(ctx, word)
  return sql`(t.due_date < ${today(ctx)}::date and ${isOpen})`
}

/** Today in the organization's zone. */
export function today(ctx: Context): string {
  return todayOf(clockOf(ctx))
}

function clockOf(ctx: Context) {
  return { ...ctx.organization, now: ctx.now() }
}

/** 400 if the due date is before the start. */
export function checkDates(dates: { start_date?: string | null; due_date?: string | null }) {
  const { start_date, due_date } = dates
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}
