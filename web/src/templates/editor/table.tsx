import { useRef, useState } from 'react'
import { useCells } from '../../projects/use-cells.ts'
import { useDraft } from '../../projects/use-draft.ts'
import { shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/counted.ts'
import { Kbd } from '../../ui/kbd.tsx'
import type { Column } from './columns.ts'
import { LineGrid } from './grid.tsx'
import type { LineRow } from './lines.ts'
import { lengthOf } from './lines.ts'
import { Suggestions } from './suggestions.tsx'
import type { Edited } from './use-edited.ts'
import type { TemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'

type TableProps = {
  work: TemplateWork
  edited: Edited
  /** the dates of the preview */
  rows: { ref: string; start_date: string }[] | undefined
}

/** The grid with its tools and keys. */
export function Table({ work, edited, rows: dated }: TableProps) {
  const { rows, mayEdit, lines } = work
  const format = useFormat()
  const table = useRef<HTMLTableElement>(null)
  const cells = useCells<Column>(table, rows, work.real, 'title')
  const line = useDraft(work, (above) => {
    if (above) cells.go({ id: above.id, column: 'title' })
  })
  const [hasDates, setDates] = useState(false)
  const dates = new Map((dated ?? []).map(({ ref, start_date }) => [ref, start_date]))
  const dayOf = (row: LineRow): string => {
    if (row.kind === 'loose') return ''
    const { start, days } = row.kind === 'task' ? row.task : row.milestone
    const date = dates.get(row.id)
    if (hasDates && date) return shortDay(date, format)
    return days > 1 ? `${start + 1}–${start + days}` : `${start + 1}`
  }
  const toggleDates = () => setDates(!hasDates)
  useShortcuts([
    { keys: 'Mod+Z', label: 'Undo', group: 'Template', run: edited.undo },
    { keys: 'Mod+Shift+Z', label: 'Redo', group: 'Template', run: edited.redo },
    { keys: 'p', label: 'Show dates', group: 'Template', run: toggleDates },
    { keys: 'Enter', label: 'Edit the cell', group: 'Template' },
    { keys: 'm', label: 'All that can be done to the row', group: 'Template' },
    { keys: 'Alt+ArrowUp', label: 'Move up, down, in or out', group: 'Template' },
    { keys: 'Delete', label: 'Delete', group: 'Template' },
  ])
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        {dated ? (
          <Button icon="calendar" aria-pressed={hasDates} onClick={toggleDates}>
            Preview dates <Kbd keys="p" />
          </Button>
        ) : null}
        <span className={styles.space} />
        <Suggestions work={work} />
        {mayEdit ? (
          <>
            <Button icon="milestone" onClick={() => line.append(1)}>
              New milestone
            </Button>
            <Button icon="plus" disabled={!lines.milestones.length} onClick={() => line.append(2)}>
              New task
            </Button>
          </>
        ) : null}
      </div>
      <LineGrid {...{ work, table, cells, line, dayOf }} />
      <p className={styles.foot}>
        {mayEdit
          ? `${counted(lines.tasks.length, 'task')} · ${counted(lengthOf(lines), 'working day')} · Ctrl+Z takes back`
          : work.template.is_predefined
            ? 'It comes with the product. Duplicate it to change it.'
            : 'You can read this template.'}
      </p>
    </div>
  )
}
