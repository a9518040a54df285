import { Type } from 'typebox'
import { operation } from '../../../kit/ground/operation.ts'
import { everyRow } from '../../../kit/read/list.ts'
import { idsIn } from '../../../kit/read/named-values.ts'
import { person } from '../../../model/people/person.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import type { SheetColumn } from '../../../model/sheets/csv.ts'
import { sheetQuery, sheetStream } from '../../../model/sheets/sheet-file.ts'
import { TimeEntry } from '../../../model/tasks/time-entry.ts'
import type { EntryFilters } from './filters.ts'
import { entryCondition, entryFilters } from './filters.ts'

type Row = { [field: string]: unknown }

const fields = 'date,user,project_name,task_title,seconds,is_billable,note,time_entry_id'

const columns: SheetColumn<Row>[] = [
  { name: 'Day', kind: 'date', text: ({ date }) => cellOf(date) },
  { name: 'Person', text: ({ user }) => cellOf((user as Row | null)?.full_name) },
  { name: 'E-mail', text: ({ user }) => cellOf((user as Row | null)?.email) },
  { name: 'Project', text: ({ project_name }) => cellOf(project_name) },
  { name: 'Task', text: ({ task_title }) => cellOf(task_title) },
  { name: 'Hours', kind: 'number', text: ({ seconds }) => hours(Number(seconds)) },
  { name: 'Billable', text: ({ is_billable }) => (is_billable ? 'yes' : 'no') },
  { name: 'Note', text: ({ note }) => cellOf(note) },
  { name: 'Id', text: ({ time_entry_id }) => cellOf(time_entry_id) },
]

/** The entries behind a report, one a line, with headings for people. */
export const exportTime = operation({
  name: 'export_time_entries',
  summary: 'Export time entries as CSV or .xlsx',
  description: 'Those that a report with the same parameters sums up, by day.',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { query: Type.Object({ ...entryFilters, ...sheetQuery }) },
  output: null,
  gives: 'text/csv',
  async run(ctx, { query }) {
    const { user, project_id, from, to, is_billable, ...look } = query
    const filters = { user, project_id, from, to, is_billable }
    // refuses what the report refuses
    await entryCondition(ctx, filters)
    const people = user === undefined ? undefined : await idsIn(ctx, person(), user, 'user')
    const filter = JSON.stringify(conditions(filters, people))
    const pages = await everyRow(ctx, TimeEntry, { fields, filter, sort: 'date' })
    return sheetStream(ctx, { columns, pages, name: 'time' }, look)
  },
})

function conditions(
  { project_id, from, to, is_billable }: EntryFilters,
  people: string[] | undefined,
) {
  return [
    ...(people ? [{ field: 'user', operator: 'in', value: people }] : []),
    ...(project_id ? [{ field: 'project_id', operator: 'eq', value: project_id }] : []),
    ...(from ? [{ field: 'date', operator: 'gte', value: from }] : []),
    ...(to ? [{ field: 'date', operator: 'lte', value: to }] : []),
    ...(is_billable === undefined
      ? []
      : [{ field: 'is_billable', operator: 'eq', value: is_billable }]),
  ]
}

/** Seconds as hours, exact to a hundredth of a second of them. */
function hours(seconds: number): string {
  return String(Number((seconds / 3600).toFixed(6)))
}
