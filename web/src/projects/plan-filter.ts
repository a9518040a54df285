import { addDays } from '../records/field/format.ts'
import { personIn } from '../records/field/linked.ts'
import { holdsTyped } from '../ui/holds.ts'
import type { Trouble } from './late.ts'
import type { PlanRow } from './tree.ts'
import { t } from '../locales/text.ts'

/** The parts of a plan that can be shown alone. */
export const parts = ['all', 'mine', 'late', 'blocked', 'shared', 'this week'] as const
export type Part = (typeof parts)[number]

/** What the parts are called. */
export const partLabels: { readonly [part in Part]: string } = {
  all: t('All'),
  mine: t('Mine'),
  late: t('Late'),
  blocked: t('Blocked'),
  shared: t('Shared'),
  'this week': t('This week'),
}

/** Which rows of a plan are shown; without a value all. */
export type PlanFilter = {
  q: string
  part: Part
  owner: string | null
  status: string | null
  priority: string | null
}

export const unfiltered: PlanFilter = {
  q: '',
  part: 'all',
  owner: null,
  status: null,
  priority: null,
}

type Of = {
  me: string
  today: string
  troubles: ReadonlyMap<string, Trouble>
}

/** Whether a filter leaves anything out. */
export function isFiltering({ q, part, owner, status, priority }: PlanFilter): boolean {
  return q.trim() !== '' || part !== 'all' || owner !== null || status !== null || priority !== null
}

/**
 * The rows that a filter shows, with those above them, which are `faint`; `rows` are all of the plan, and `tasks` is how
 * many tasks match.
 */
export function filtered(rows: PlanRow[], filter: PlanFilter, of: Of) {
  const found = rows.filter((row) => matches(row, filter, of))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const own = new Set(found.map(({ id }) => id))
  const faint = new Set<string>()
  for (const row of found) {
    let above = row.above === null ? undefined : byId.get(row.above)
    while (above && !faint.has(above.id)) {
      if (!own.has(above.id)) faint.add(above.id)
      above = above.above === null ? undefined : byId.get(above.above)
    }
  }
  return {
    rows: rows.filter(({ id }) => own.has(id) || faint.has(id)),
    faint,
    tasks: found.filter(({ kind }) => kind === 'task').length,
  }
}

function matches(row: PlanRow, filter: PlanFilter, { me, today, troubles }: Of): boolean {
  if (row.kind === 'loose') return false
  const record = row.kind === 'task' ? row.task : row.milestone
  const { q, part, owner, status, priority } = filter
  if (q.trim() && !holdsTyped(`${row.number} ${row.title}`, q)) return false
  const whose = personIn(record.owner)?.user_id
  if (owner !== null && whose !== owner) return false
  if (status !== null && record.status?.status_key !== status) return false
  if (priority !== null && (row.kind !== 'task' || row.task.priority?.value !== priority))
    return false
  const trouble = troubles.get(row.id)?.kind
  switch (part) {
    case 'all':
      return true
    case 'mine':
      return whose === me
    case 'late':
    case 'blocked':
      return trouble === part
    case 'shared':
      return record.is_shared
    case 'this week':
      return isWithin(record, weekOf(today))
  }
}

/** Whether something that is open begins or ends in these days, or lasts through them. */
function isWithin(
  {
    start_date,
    due_date,
    completed_at,
  }: { start_date: string | null; due_date: string | null; completed_at: string | null },
  [first, last]: [string, string],
): boolean {
  const from = start_date ?? due_date
  const until = due_date ?? start_date
  return completed_at === null && from !== null && until !== null && from <= last && until >= first
}

/** Monday and Sunday around a day. */
function weekOf(today: string): [string, string] {
  const since = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const monday = addDays(today, -since)
  return [monday, addDays(monday, 6)]
}
