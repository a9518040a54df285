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
import { t } from '../../locales/text.ts'

type Props = {
  row: LineRow
  work: TemplateWork
  anchor: Element
  onEdit: (column: Column) => void
  onNew: (level: number) => void
  onClose: () => void
}

const directions: [Direction, string, string][] = [
  ['up', t('Move up'), 'Alt+ArrowUp'],
  ['down', t('Move down'), 'Alt+ArrowDown'],
  ['in', t('Move in'), 'Alt+ArrowRight'],
  ['out', t('Move out'), 'Alt+ArrowLeft'],
]
const cells: [Column, string, string?][] = [
  ['title', t('Edit the title'), 'e'],
  ['role', t('Set the role'), 'a'],
  ['day', t('Set the day'), 'd'],
  ['days', t('Set the days')],
  ['estimate', t('Set the estimate')],
  ['after', t('Wait for…'), 'l'],
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
      label: line.is_shared ? t('Make internal') : t('Share'),
      icon: line.is_shared ? 'eye-off' : 'eye',
      shortcut: 'h',
      onSelect: () => apply((now) => withShare(now, row)),
    },
    ...(row.kind === 'task' && forms.size
      ? [
          {
            kind: 'submenu' as const,
            label: t('Ask for a form'),
            icon: 'clipboard' as const,
            items: [
              ...choicesOf(forms, (form_id) => set({ form_id })),
              ...(row.task.form_id
                ? [{ label: t('No form'), onSelect: () => set({ form_id: null }) }]
                : []),
            ],
          },
        ]
      : []),
    ...(row.kind === 'task' && documents.size
      ? [
          {
            kind: 'submenu' as const,
            label: t('Attach a copy of'),
            icon: 'file' as const,
            items: [
              ...choicesOf(documents, (document_id) => set({ document_id })),
              ...(row.task.document_id
                ? [{ label: t('No document'), onSelect: () => set({ document_id: null }) }]
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
          { label: t('New task below'), shortcut: 'c', onSelect: () => onNew(row.level) },
          {
            label: t('New subtask'),
            disabled: row.level >= 6,
            onSelect: () => onNew(row.level + 1),
          },
        ]
      : [
          { label: t('New task in it'), shortcut: 'c', onSelect: () => onNew(2) },
          { label: t('New milestone below'), onSelect: () => onNew(1) },
        ]),
    { kind: 'separator' },
    {
      label: row.kind === 'task' ? t('Delete task') : t('Delete milestone'),
      icon: 'trash',
      shortcut: 'Delete',
      danger: true,
      onSelect: () => remove(row, (now) => withoutLine(now, row)),
    },
  ]
  const popup: ComponentProps<typeof Menu> = {
    open: true,
    align: 'end',
    label: t('More for {title}', { title: row.title }),
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
