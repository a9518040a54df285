import type { ComponentProps } from 'react'
import type { Direction } from '../../projects/places.ts'
import { placeToward } from '../../projects/places.ts'
import { Menu } from '../../records/later-controls.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { movedToward, withShare, withTask, withoutLine } from './acts.ts'
import type { Column } from './columns.ts'
import { isEditable } from './columns.ts'
import type { LineRow, TaskLine } from './lines.ts'
import type { TemplateWork } from './use-template-work.ts'

type Props = {
  row: LineRow
  work: TemplateWork
  anchor: Element
  onEdit: (column: Column) => void
  onNew: (level: number) => void
  onClose: () => void
}

const directions: [Direction, string, string][] = [
  ['up', 'Move up', 'Alt+ArrowUp'],
  ['down', 'Move down', 'Alt+ArrowDown'],
  ['in', 'Move in', 'Alt+ArrowRight'],
  ['out', 'Move out', 'Alt+ArrowLeft'],
]
const cells: [Column, string, string?][] = [
  ['title', 'Edit the title', 'e'],
  ['role', 'Set the role', 'a'],
  ['day', 'Set the day', 'd'],
  ['days', 'Set the days'],
  ['estimate', 'Set the estimate'],
  ['after', 'Wait for…', 'l'],
]

/** All that can be done to a line of a template. */
export function LineMenu({ row, work, anchor, onEdit, onNew, onClose }: Props) {
  if (row.kind === 'loose') return null
  const { all, apply, remove, forms, documents } = work
  const line = row.kind === 'task' ? row.task : row.milestone
  const set = (values: Partial<TaskLine>) => apply((now) => withTask(now, row.id, values))
  const items: MenuItem[] = [
    ...cells
      .filter(([column]) => isEditable(row, column))
      .map(([column, label, shortcut]) => ({
        label,
        onSelect: () => onEdit(column),
        ...(shortcut ? { shortcut } : {}),
        ...(column === 'title' ? { icon: 'pencil' as const } : {}),
      })),
    {
      label: line.is_shared ? 'Make internal' : 'Share',
      icon: line.is_shared ? 'eye-off' : 'eye',
      shortcut: 'h',
      onSelect: () => apply((now) => withShare(now, row)),
    },
    ...(row.kind === 'task' && forms.size
      ? [
          {
            kind: 'submenu' as const,
            label: 'Ask for a form',
            icon: 'clipboard' as const,
            items: [
              ...choicesOf(forms, (form_id) => set({ form_id })),
              ...(row.task.form_id
                ? [{ label: 'No form', onSelect: () => set({ form_id: null }) }]
                : []),
            ],
          },
        ]
      : []),
    ...(row.kind === 'task' && documents.size
      ? [
          {
            kind: 'submenu' as const,
            label: 'Attach a copy of',
            icon: 'file' as const,
            items: [
              ...choicesOf(documents, (document_id) => set({ document_id })),
              ...(row.task.document_id
                ? [{ label: 'No document', onSelect: () => set({ document_id: null }) }]
                : []),
            ],
          },
        ]
      : []),
    { kind: 'separator' },
    ...directions.map(([to, label, shortcut]) => ({
      label,
      shortcut,
      disabled: !placeToward(all, row.id, to),
      onSelect: () => apply((now) => movedToward(now, row.id, to)),
    })),
    { kind: 'separator' },
    ...(row.kind === 'task'
      ? [
          { label: 'New task below', shortcut: 'c', onSelect: () => onNew(row.level) },
          {
            label: 'New subtask',
            disabled: row.level >= 6,
            onSelect: () => onNew(row.level + 1),
          },
        ]
      : [
          { label: 'New task in it', shortcut: 'c', onSelect: () => onNew(2) },
          { label: 'New milestone below', onSelect: () => onNew(1) },
        ]),
    { kind: 'separator' },
    {
      label: `Delete ${row.kind}`,
      icon: 'trash',
      shortcut: 'Delete',
      danger: true,
      onSelect: () => remove(row, (now) => withoutLine(now, row)),
    },
  ]
  const popup: ComponentProps<typeof Menu> = {
    open: true,
    align: 'end',
    label: `More for ${row.title}`,
    anchor,
    items,
    onOpenChange: (isOpen) => {
      if (!isOpen) onClose()
    },
  }
  return <Menu {...popup} />
}

function choicesOf(names: ReadonlyMap<string, string>, choose: (id: string) => void) {
  return [...names].map(([id, label]) => ({ label, onSelect: () => choose(id) }))
}
