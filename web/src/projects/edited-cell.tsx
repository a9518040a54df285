import { asProblem } from '../api/problem.ts'
import { notifyRefusal } from '../data/change.ts'
import type { Edited } from '../records/field/edit.tsx'
import { optionIn } from '../records/field/option.ts'
import { capital } from '../ui/capital.ts'
import type { Typed } from './cell-editor.tsx'
import type { Next } from './use-cell-text.ts'
import { CellEditor } from './cell-editor.tsx'
import type { Column } from './columns.ts'
import { columns, fieldIn } from './columns.ts'
import type { RealRow } from './plan-actions.ts'
import styles from './plan.module.css'
import type { How } from './title-editor.tsx'
import { TitleEditor } from './title-editor.tsx'
import type { useCells } from './use-cells.ts'
import type { useDraft } from './use-draft.ts'
import type { Work } from './use-work.ts'

type Props = {
  work: Work
  cells: ReturnType<typeof useCells<Column>>
  line: ReturnType<typeof useDraft>
  row: RealRow
  /** the predecessors, as they are written */
  after: string
}

/**
 * The editor in a cell. What is typed is shown as stored at once; where it is refused, the editor is there again with the
 * text and the reason.
 */
export function EditedCell({ work, cells, line, row, after }: Props) {
  const { actions, rows, rights } = work
  const { editing } = cells
  if (!editing) return null
  const { column, error, text } = editing
  const field = fieldIn(row, column, rights)
  const record = row.kind === 'task' ? row.task : row.milestone

  const leave = (next: Next = 'stay') => {
    cells.edit(undefined)
    const at = rows.findIndex(({ id }) => id === row.id)
    const below = rows[next === 'down' ? at + 1 : at] ?? row
    const step = next === 'next' ? 1 : next === 'previous' ? -1 : 0
    const to = columns[columns.findIndex(({ name }) => name === column) + step]?.name ?? column
    cells.setActive({ id: below.id, column: to })
    cells.keepFocus()
  }

  /** Sends it; a refusal opens the editor again, unless the person is already at another one. */
  const send = (run: Promise<string | void>, typed: string) => {
    run
      .then((wrong) => {
        if (typeof wrong === 'string')
          cells.refuse({ id: row.id, column, text: typed, error: wrong })
      })
      .catch((reason: unknown) => {
        const problem = asProblem(reason)
        if (problem.status === 412) return notifyRefusal(reason)
        const why = (field && problem.of(field.name)) ?? problem.message
        cells.refuse({ id: row.id, column, text: typed, error: why })
      })
  }

  const onTitle = (title: string, how: How) => {
    const isChanged = title !== '' && title !== row.title
    leave()
    if (how !== 'cancel' && isChanged && field) {
      const words = `${row.kind === 'task' ? 'Task' : 'Milestone'} renamed`
      send(actions.change(row, { [field.name]: title }, words), title)
    }
    if (how === 'enter') line.begin(row.id, row.level)
    if (how === 'in' || how === 'out') void actions.move(row, how)
  }

  const onSave = (typed: Typed, next: Next) => {
    leave(next)
    if (column === 'after') {
      if (row.kind === 'task') send(actions.setAfter(row, String(typed ?? '')), String(typed ?? ''))
      return
    }
    if (column === 'days') {
      const days = { duration_days: Number(typed) }
      if (typed !== null) send(actions.setDates(row, days), String(typed))
      return
    }
    if (column === 'start' || column === 'due') {
      const day = typeof typed === 'string' ? typed : null
      const set = column === 'start' ? { start_date: day } : { due_date: day }
      return send(actions.setDates(row, set), day ?? '')
    }
    if (!field || typed === null || typeof typed !== 'object') return
    const { value, shown } = typed
    const words = `${field.label} changed`
    send(actions.change(row, { [field.name]: value }, words, { shown: shownAs(typed, shown) }), '')
  }

  const shownAs = ({ value }: Edited, shown: Edited['shown']) => {
    const option = field && column === 'status' ? optionIn(field, value) : undefined
    if (!option) return { ...shown }
    const { value: key, label, color } = option
    return { status: { status_id: key, status_key: key, status_name: label, color } }
  }

  const initials: { [name: string]: string } = {
    start: record.start_date ?? '',
    due: record.due_date ?? '',
    days: row.kind === 'task' ? String(row.task.duration_days ?? '') : '',
    after,
  }
  return (
    <span className={styles.box}>
      {column === 'title' || column === 'shared' || !field ? (
        <TitleEditor
          label={`Title of ${row.title}`}
          initial={text ?? row.title}
          invalid={error !== undefined}
          autoFocus
          onDone={onTitle}
        />
      ) : (
        <CellEditor
          {...{ row, column, field, onSave }}
          initial={text ?? initials[column] ?? ''}
          isTyped={text !== undefined}
          onCancel={leave}
        />
      )}
      {error ? (
        <span role="alert" className={styles.error}>
          {capital(error)}
        </span>
      ) : null}
    </span>
  )
}
