import { asProblem } from '../api/problem.ts'
import { conflictOf, nameOfOther } from '../data/change.ts'
import type { Edited } from '../records/field/edit.tsx'
import { shortDay, today } from '../records/field/format.ts'
import { optionIn } from '../records/field/option.ts'
import { useFormat } from '../records/field/use-format.ts'
import { capital } from '../ui/capital.ts'
import type { Typed } from './cell-editor.tsx'
import { CellEditor } from './cell-editor.tsx'
import type { Column } from './columns.ts'
import { fieldIn } from './columns.ts'
import { earliestOf } from './after.ts'
import { beginIn, datesOf } from './new-values.ts'
import type { Next } from './use-cell-text.ts'
import styles from './plan.module.css'
import type { How } from './title-editor.tsx'
import { TitleEditor } from './title-editor.tsx'
import type { Chip, Sets, Words } from './title-words.ts'
import { setsOf } from './title-words.ts'
import type { useCells } from './use-cells.ts'
import type { useDraft } from './use-draft.ts'
import type { Work } from './use-work.ts'
import type { PlanRow, RealRow } from './tree.ts'
import { t } from '../locales/text.ts'

type Props = {
  work: Work
  cells: ReturnType<typeof useCells<Column>>
  line: ReturnType<typeof useDraft<PlanRow>>
  row: RealRow
  /** the predecessors, as they are written */
  after: string
  words: Words
  onOpen: (id: string) => void
}

/**
 * The editor in a cell. What is typed is shown as stored at once; where it is refused, the editor is there again with the
 * text and the reason.
 */
export function EditedCell({ work, cells, line, row, after, words, onOpen }: Props) {
  const format = useFormat()
  const { actions, rows, rights, columns, plan } = work
  const { editing } = cells
  if (!editing) return null
  const { column, error, text, was, regardless = false } = editing
  const version = regardless || !was ? {} : { version: was.version }
  const field = fieldIn(row, column, rights)
  const record = row.kind === 'task' ? row.task : row.milestone

  const leave = (next: Next = 'stay') => {
    cells.edit(undefined)
    const at = rows.findIndex(({ id }) => id === row.id)
    const below = rows[next === 'down' ? at + 1 : at] ?? row
    const step = next === 'next' ? 1 : next === 'previous' ? -1 : 0
    const to = columns[columns.indexOf(column) + step] ?? column
    cells.setActive({ id: below.id, column: to })
    cells.keepFocus()
  }

  /** Somebody has set the same meanwhile: the editor is there again, and Enter overwrites what they have set. */
  const differ = (who: string, typed: string, theirs = '') => {
    const again = typed || text || ''
    cells.refuse({
      id: row.id,
      column,
      ...(again ? { text: again } : {}),
      error: theirs
        ? t('{person} set {value} meanwhile. Enter uses yours, Escape keeps theirs.', {
            person: who,
            value: theirs,
          })
        : t('{person} changed it meanwhile. Enter uses yours, Escape keeps theirs.', {
            person: who,
          }),
      regardless: true,
    })
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
        const conflict = conflictOf(problem)
        if (conflict) return differ(nameOfOther(conflict, field?.name), typed)
        const why = (field && problem.of(field.name)) ?? problem.message
        cells.refuse({ id: row.id, column, text: typed, error: why })
      })
  }

  const onTitle = (title: string, how: How, chips: Chip[]) => {
    leave()
    if (how !== 'cancel' && title !== '' && field) rename(title, setsOf(chips))
    if (how === 'enter') line.begin(row.id, row.level)
    if (how === 'in' || how === 'out') actions.quietly(actions.move([row], how))
    if (how === 'panel' && row.kind === 'task') onOpen(row.id)
  }

  /** A new title, and what the words at its end set. */
  const rename = (title: string, { owner, priority, due, days }: Sets) => {
    const values = {
      ...(title === row.title && !regardless ? {} : { [field?.name ?? 'title']: title }),
      ...(owner ? { owner: owner.user_id } : {}),
      ...(priority ? { priority: priority.value } : {}),
    }
    const shown = { ...(owner ? { owner } : {}), ...(priority ? { priority } : {}) }
    const isMore = owner !== undefined || priority !== undefined
    const words =
      row.kind === 'task'
        ? isMore
          ? t('Task changed')
          : t('Task renamed')
        : isMore
          ? t('Milestone changed')
          : t('Milestone renamed')
    const run = async () => {
      if (Object.keys(values).length) {
        await actions.change(row, values, words, { shown, regardless, ...version })
      }
      const begin = record.start_date ?? beginIn(plan, milestoneOf(row), today(format.timezone))
      const dates = datesOf({ due, days }, plan, begin)
      if (Object.keys(dates).length) await actions.setDates(row, dates)
    }
    send(run(), title)
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
      const name = column === 'start' ? 'start_date' : 'due_date'
      const theirs = record[name]
      // somebody has moved it while it was typed
      if (!regardless && was && theirs !== was[name] && theirs !== day) {
        return differ(t('Somebody'), day ?? '', theirs ? shortDay(theirs, format) : t('no day'))
      }
      const set = { [name]: day }
      return send(actions.setDates(row, set), day ?? '')
    }
    if (!field || typed === null || typeof typed !== 'object') return
    const { value, shown } = typed
    const words = t('{field} changed', { field: field.label })
    const more = { shown: shownAs(typed, shown), regardless, ...version }
    send(actions.change(row, { [field.name]: value }, words, more), '')
  }

  const shownAs = ({ value }: Edited, shown: Edited['shown']) => {
    const isChoice = column === 'status' || column === 'priority'
    const option = field && isChoice ? optionIn(field, value) : undefined
    if (!option) return { ...shown }
    const { value: key, label, color } = option
    if (column === 'priority') return { priority: { value: key, label, color } }
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
          label={t('Title of {title}', { title: row.title })}
          initial={text ?? row.title}
          words={{ ...words, isTask: row.kind === 'task' }}
          invalid={error !== undefined}
          autoFocus
          onDone={onTitle}
        />
      ) : (
        <CellEditor
          {...{ row, column, field, onSave }}
          calendar={plan.calendar}
          earliest={earliestOf(plan, row.id)}
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

function milestoneOf(row: RealRow): string | null {
  return row.kind === 'task' ? row.task.milestone_id : null
}
