import type { ComponentProps } from 'react'
import { Menu } from '../records/later-controls.ts'
import type { MenuItem } from '../ui/menu.tsx'
import type { PlanActions } from './plan-actions.ts'
import type { Direction } from './places.ts'
import { placeToward } from './places.ts'
import type { MilestoneRow, PlanRow, RealRow } from './tree.ts'
import { loose } from './tree.ts'

/** What else a row's menu leads to. */
export type MenuActs = {
  onOpen: () => void
  onEdit: () => void
  /** a new line below it, or within it */
  onNew: (level: number) => void
  /** chooses new dates, and sees what follows */
  onDates: () => void
  /** selects the row, or no longer */
  onSelect?: () => void
}

type Props = {
  row: RealRow
  rows: PlanRow[]
  anchor: Element
  actions: PlanActions
  may: { change: boolean; create: boolean; plan: boolean; delete: boolean }
  acts: MenuActs
  onClose: () => void
}

/** All that can be done to a row, without a pointer and without single keys too. */
export function PlanMenu({ row, rows, anchor, actions, may, acts, onClose }: Props) {
  const popup: ComponentProps<typeof Menu> = {
    open: true,
    align: 'end',
    label: `More for ${row.title}`,
    anchor,
    items: [
      ...(row.kind === 'task' ? [{ label: 'Open', shortcut: 'o', onSelect: acts.onOpen }] : []),
      ...(acts.onSelect ? [{ label: 'Select', shortcut: 'x', onSelect: acts.onSelect }] : []),
      ...(row.kind === 'task' && may.change
        ? [
            {
              label: 'Start or stop the timer',
              icon: 'clock' as const,
              shortcut: 't',
              onSelect: () => actions.quietly(actions.time(row)),
            },
          ]
        : []),
      ...(may.change ? changes(row, rows, actions, acts) : []),
      ...newLines(row, may, acts),
      ...(may.delete
        ? [
            { kind: 'separator' as const },
            {
              label: `Delete ${row.kind}`,
              icon: 'trash' as const,
              shortcut: 'Delete',
              danger: true,
              onSelect: () => actions.quietly(actions.remove([row])),
            },
          ]
        : []),
    ],
    onOpenChange: (isOpen) => {
      if (!isOpen) onClose()
    },
  }
  return <Menu {...popup} />
}

function changes(row: RealRow, rows: PlanRow[], actions: PlanActions, acts: MenuActs): MenuItem[] {
  const record = row.kind === 'task' ? row.task : row.milestone
  const isDone = record.completed_at !== null || (row.kind === 'task' && row.task.is_completed)
  const directions: [Direction, string, string][] = [
    ['up', 'Move up', 'Alt+ArrowUp'],
    ['down', 'Move down', 'Alt+ArrowDown'],
    ['in', 'Move in', 'Alt+ArrowRight'],
    ['out', 'Move out', 'Alt+ArrowLeft'],
  ]
  const tops = rows.filter(
    ({ level, kind, id }) => level === 1 && kind !== 'loose' && id !== row.above,
  )
  const moves = directions
    .filter(([to]) => row.kind === 'task' || to === 'up' || to === 'down')
    .map(([to, label, shortcut]): MenuItem => ({
      label,
      shortcut,
      disabled: !placeToward(actions.all, row.id, to),
      onSelect: () => actions.quietly(actions.move([row], to)),
    }))
  return [
    {
      label: row.kind === 'task' ? 'Edit the title' : 'Rename',
      icon: 'pencil',
      shortcut: 'e',
      onSelect: acts.onEdit,
    },
    {
      label: isDone ? 'Open again' : 'Complete',
      icon: 'circle-check',
      shortcut: 'Space',
      onSelect: () => actions.quietly(actions.tick(row)),
    },
    {
      label: record.is_shared ? 'Make internal' : 'Share',
      icon: record.is_shared ? 'eye-off' : 'eye',
      shortcut: 'h',
      onSelect: () => actions.quietly(actions.share([row])),
    },
    ...(row.kind === 'milestone' ? [goLiveItem(row, actions)] : []),
    { label: 'Move with what follows…', icon: 'calendar-clock', onSelect: acts.onDates },
    { kind: 'separator' },
    ...(row.kind === 'task'
      ? [
          {
            kind: 'submenu' as const,
            label: 'Move to',
            icon: 'move' as const,
            items: [
              ...tops,
              ...(row.above === loose ? [] : [{ id: loose, title: 'No milestone' }]),
            ].map(({ id, title }) => ({
              label: title,
              onSelect: () => actions.quietly(actions.moveTo([row], id)),
            })),
          },
        ]
      : []),
    ...moves,
  ]
}

/** Which milestone is the go-live of the project: the only one. */
function goLiveItem(row: MilestoneRow, actions: PlanActions): MenuItem {
  const isIt = row.milestone.kind === 'go_live'
  const kind = isIt ? null : 'go_live'
  const message = `${row.title} is ${isIt ? 'no longer ' : ''}the go-live`
  return {
    label: isIt ? 'No longer the go-live' : 'Make it the go-live',
    icon: 'flag',
    onSelect: () => actions.quietly(actions.change(row, { kind }, message)),
  }
}

function newLines(row: RealRow, may: Props['may'], { onNew }: MenuActs): MenuItem[] {
  const tasks: MenuItem[] =
    row.kind === 'task'
      ? [
          {
            label: 'New task below',
            icon: 'plus',
            shortcut: 'c',
            onSelect: () => onNew(row.level),
          },
          { label: 'New subtask', onSelect: () => onNew(row.level + 1), disabled: row.level >= 6 },
        ]
      : [{ label: 'New task in it', icon: 'plus', shortcut: 'c', onSelect: () => onNew(2) }]
  const list = [
    ...(may.create ? tasks : []),
    ...(may.plan && row.kind === 'milestone'
      ? [{ label: 'New milestone below', onSelect: () => onNew(1) }]
      : []),
  ]
  return list.length ? [{ kind: 'separator' }, ...list] : []
}
