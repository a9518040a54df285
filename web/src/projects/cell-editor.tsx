import type { Field } from '../data/modules.ts'
import type { Edited } from '../records/field/edit.tsx'
import { later } from '../records/later.tsx'
import type { ProjectPlan } from '../data/project-plan.ts'
import { NumberField } from '../ui/number-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Column } from './columns.ts'
import { DayField } from './day-field.tsx'
import type { Next } from './use-cell-text.ts'
import { useCellText } from './use-cell-text.ts'
import type { RealRow } from './tree.ts'
import { t } from '../locales/text.ts'

const FieldEditor = later(async () => ({
  default: (await import('../records/field/edit.tsx')).FieldEditor,
}))

/** What was typed: a day, a number of days, predecessors, or a value of a field. */
export type Typed = string | number | null | Edited

type Props = {
  row: RealRow
  column: Exclude<Column, 'title' | 'shared'>
  field: Field
  /** what stands in it at first: the value, or what was typed or refused */
  initial: string
  /** whether it is more than the value that is stored */
  isTyped: boolean
  calendar: ProjectPlan['calendar']
  /** the day after all that the row waits for */
  earliest: string | null
  onSave: (typed: Typed, next: Next) => void
  onCancel: (next?: Next) => void
}

/** The editor of a cell: Enter and Tab save, Escape does not, and so does leaving it. */
export function CellEditor(props: Props) {
  const { row, column, field, initial, isTyped, onSave, onCancel } = props
  const label = t('{column} of {title}', {
    column: columnLabels[column] ?? field.label,
    title: row.title,
  })
  const { text, setText, control } = useCellText({
    initial,
    isTyped,
    onCancel,
    onSave: (typed, next) => {
      if (column === 'days') onSave(typed === '' ? null : Number(typed), next)
      else onSave(column === 'after' ? typed : typed || null, next)
    },
  })
  const shared = { label, ...control }
  switch (column) {
    case 'start':
    case 'due':
      return <DayField {...props} label={label} />
    case 'days':
      return (
        <NumberField
          {...shared}
          integer
          min={1}
          max={3660}
          value={text === '' ? null : Number(text)}
          onChange={(days) => setText(days === null ? '' : String(days))}
        />
      )
    case 'after':
      return <TextField {...shared} value={text} onChange={setText} placeholder="2.2+1" />
    default:
      return (
        <FieldEditor
          field={field}
          record={row.kind === 'task' ? row.task : row.milestone}
          label={label}
          isInPlace
          onCommit={(edited) => onSave(edited, 'stay')}
          onCancel={() => onCancel('stay')}
        />
      )
  }
}

const columnLabels: { [column in Column]?: string } = {
  start: t('Start'),
  due: t('Due'),
  days: t('Days'),
  after: t('After [task]'),
}
