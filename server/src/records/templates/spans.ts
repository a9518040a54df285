import type { Day } from '../../schedule/workdays.ts'
import { dayNumber } from '../../schedule/workdays.ts'

/** From the first to the last day of something. */
export type Span = { start: Day; due: Day }

/** Dates as they are planned, and the day of the completion in the organization's zone. */
export type Dated = { start_date: string | null; due_date: string | null; done_on: string | null }

type Link = { task_id: string; predecessor_id: string; type: string }

/** From the start to the due day, or to that of the completion; undefined without any of them. */
export function spanOf(
  { start_date, due_date, done_on }: Dated,
  isActual: boolean,
): Span | undefined {
  const end = (isActual ? done_on : null) ?? due_date ?? start_date
  if (end === null) return undefined
  const due = dayNumber(end)
  return { start: Math.min(start_date ? dayNumber(start_date) : due, due), due }
}

/** Tasks as they are planned, by their ids. */
export function plannedSpans(tasks: (Dated & { id: string })[]): Map<string, Span> {
  return new Map(
    tasks.flatMap((task): [string, Span][] => {
      const span = spanOf(task, false)
      return span ? [[task.id, span]] : []
    }),
  )
}

/** As tasks really were: until their completion, and not begun before what they waited for was finished. */
export function actualSpans({
  tasks,
  links,
}: {
  tasks: (Dated & { id: string })[]
  links: Link[]
}): Map<string, Span> {
  const spans = new Map<string, Span>()
  for (const task of tasks) {
    const span = spanOf(task, true)
    if (span) spans.set(task.id, span)
  }
  const finished = new Map([...spans].map(([id, { due }]) => [id, due]))
  for (const { task_id, predecessor_id, type } of links) {
    const span = spans.get(task_id)
    const end = finished.get(predecessor_id)
    if (type !== 'FS' || !span || end === undefined || end < span.start) continue
    spans.set(task_id, { ...span, start: Math.min(end + 1, span.due) })
  }
  return spans
}
