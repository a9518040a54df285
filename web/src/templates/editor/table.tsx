import { useRef, useState } from 'react'
import { useCells } from '../../projects/use-cells.ts'
import { useDraft } from '../../projects/use-draft.ts'
import { shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { Column } from './columns.ts'
import { LineGrid } from './grid.tsx'
import type { LineRow } from './lines.ts'
import { lengthOf } from './lines.ts'
import { Suggestions } from './suggestions.tsx'
import type { Edited } from './use-edited.ts'
import type { TemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

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
    { keys: 'Mod+Z', label: t('Undo'), group: t('Template'), run: edited.undo },
    { keys: 'Mod+Shift+Z', label: t('Redo'), group: t('Template'), run: edited.redo },
    { keys: 'p', label: t('Show dates'), group: t('Template'), run: toggleDates },
    { keys: 'Enter', label: t('Edit the cell'), group: t('Template') },
    { keys: 'm', label: t('All that can be done to the row'), group: t('Template') },
    { keys: 'Alt+ArrowUp', label: t('Move up, down, in or out'), group: t('Template') },
    { keys: 'Delete', label: t('Delete'), group: t('Template') },
  ])
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        {dated ? (
          <Button icon="calendar" aria-pressed={hasDates} onClick={toggleDates}>
            {t('Preview dates')} <Kbd keys="p" />
          </Button>
        ) : null}
        <span className={styles.space} />
        <Suggestions work={work} />
        {mayEdit ? (
          <>
            <Button icon="milestone" onClick={() => line.append(1)}>
              {t('New milestone')}
            </Button>
            <Button icon="plus" disabled={!lines.milestones.length} onClick={() => line.append(2)}>
              {t('New task')}
            </Button>
          </>
        ) : null}
      </div>
      <LineGrid {...{ work, table, cells, line, dayOf }} />
      <p className={styles.foot}>
        {mayEdit
          ? t(
              '{count} task · {days} · Ctrl+Z takes back | {count} tasks · {days} · Ctrl+Z takes back',
              {
                count: lines.tasks.length,
                days: t('{count} working day | {count} working days', { count: lengthOf(lines) }),
              },
            )
          : work.template.is_predefined
            ? t('It comes with the product. Duplicate it to change it.')
            : t('You can read this template.')}
      </p>
    </div>
  )
}
