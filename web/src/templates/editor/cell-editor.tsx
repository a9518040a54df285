import type { Editing } from '../../projects/use-cells.ts'
import type { Next } from '../../projects/use-cell-text.ts'
import { useCellText } from '../../projects/use-cell-text.ts'
import { Choice } from '../../records/later-controls.ts'
import { spentText } from '../../tasks/spent.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Column } from './columns.ts'
import type { LineRow, Role } from './lines.ts'
import { roleWord } from './lines.ts'
import { t } from '../../locales/text.ts'

type Props = {
  row: LineRow
  column: Column
  editing: Editing<Column>
  /** the predecessors, as they are written */
  after: string
  roles: Role[]
  onSave: (text: string, next: Next) => void
  onCancel: (next: Next) => void
}

/** The editor of a cell other than the title. */
export function LineCellEditor({ row, column, editing, after, roles, onSave, onCancel }: Props) {
  const line = row.kind === 'task' ? row.task : row.kind === 'milestone' ? row.milestone : undefined
  const minutes = row.kind === 'task' ? row.task.minutes : null
  const initials: { [column: string]: string } = {
    day: line ? String(line.start + 1) : '',
    days: line ? String(line.days) : '',
    estimate: minutes === null ? '' : spentText(60 * minutes),
    after,
  }
  const { text, setText, control } = useCellText({
    initial: editing.text ?? initials[column] ?? '',
    isTyped: editing.text !== undefined,
    onSave,
    onCancel,
  })
  const label = t('{column} of {title}', { column: labels[column] ?? '', title: row.title })
  if (column === 'after' || column === 'estimate') {
    const placeholder = column === 'after' ? '2.2+1' : '16h'
    return <TextField {...control} {...{ label, placeholder }} value={text} onChange={setText} />
  }
  if (column === 'role') {
    const own = row.kind === 'task' && row.task.role !== null ? roleWord(row.task.role) : null
    return (
      <Choice
        autoFocus
        defaultOpen
        clearable
        label={label}
        value={roles.find(({ key }) => roleWord(key) === own)?.key ?? null}
        placeholder={t('Nobody')}
        options={roles.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(key) => onSave(key ?? '', 'stay')}
        onOpenChange={(isOpen) => {
          if (!isOpen) onCancel('stay')
        }}
      />
    )
  }
  return (
    <NumberField
      {...control}
      label={label}
      integer
      min={1}
      max={3660}
      value={text === '' ? null : Number(text)}
      onChange={(number) => setText(number === null ? '' : String(number))}
    />
  )
}

const labels: { [column in Column]?: string } = {
  role: t('Role'),
  day: t('Day'),
  days: t('Days'),
  after: t('After [task]'),
  estimate: t('Estimate'),
}
