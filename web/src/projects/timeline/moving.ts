import type { PlanChanges, PlanOp } from '../../data/plan-moves.ts'
import type { Work } from '../use-work.ts'
import type { Dates } from './bars.ts'

type Moving = NonNullable<Work['moving']>

/** Dates as a row stores them. */
export function stored({ start, due }: Dates) {
  return { start_date: start, due_date: due }
}

/** The operation that gives a row these dates. */
export function setOf(
  id: string,
  dates: { start_date: string | null; due_date: string | null },
): PlanOp {
  const { start_date, due_date } = dates
  return { op: 'set', id, set: { start_date, due_date } }
}

/** Where the row goes that the person moves. */
export function ownOf(moving: Moving | undefined): Map<string, Dates> {
  const { id, start_date, due_date } = moving ?? {}
  const [start, due] = [start_date ?? due_date, due_date ?? start_date]
  return id && start && due ? new Map([[id, { start, due }]]) : new Map()
}

/** Where the service says that rows go, by their id. */
export function movedBy(moved: PlanChanges['moved']): Map<string, Dates> {
  return new Map(
    moved.flatMap(({ id, to }) => {
      const [start, due] = [to.start ?? to.due, to.due ?? to.start]
      return start && due ? [[id, { start, due }] as const] : []
    }),
  )
}
