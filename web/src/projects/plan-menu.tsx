import type { ComponentProps } from 'react'
import { Menu } from '../records/later-controls.ts'
import type { MenuItem } from '../ui/menu.tsx'
import type { PlanActions } from './plan-actions.ts'
import type { Direction } from './places.ts'
import { placeToward } from './places.ts'
import type { MilestoneRow, PlanRow, RealRow } from './tree.ts'
import { loose } from './tree.ts'
import { t } from '../locales/text.ts'

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
    label: t('More for {title}', { title: row.title }),
    anchor,
    items: [
      ...(row.kind === 'task' ? [{ label: t('Open'), shortcut: 'o', onSelect: acts.onOpen }] : []),
      ...(acts.onSelect ? [{ label: t('Select'), shortcut: 'x', onSelect: acts.onSelect }] : []),
      ...(row.kind === 'task' && may.change
        ? [
            {
              label: t('Start or stop the timer'),
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
              label: row.kind === 'task' ? t('Delete task') : t('Delete milestone'),
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
    ['up', t('Move up'), 'Alt+ArrowUp'],
    ['down', t('Move down'), 'Alt+ArrowDown'],
    ['in', t('Move in'), 'Alt+ArrowRight'],
    ['out', t('Move out'), 'Alt+ArrowLeft'],
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
      label: row.kind === 'task' ? t('Edit the title') : t('Rename'),
      icon: 'pencil',
      shortcut: 'e',
      onSelect: acts.onEdit,
    },
    {
      label: isDone ? t('Open again') : t('Complete'),
      icon: 'circle-check',
      shortcut: 'Space',
      onSelect: () => actions.quietly(actions.tick(row)),
    },
    {
      label: record.is_shared ? t('Make internal') : t('Share'),
      icon: record.is_shared ? 'eye-off' : 'eye',
      shortcut: 'h',
      onSelect: () => actions.quietly(actions.share([row])),
    },
    ...(row.kind === 'milestone' ? [goLiveItem(row, actions)] : []),
    { label: t('Move with what follows…'), icon: 'calendar-clock', onSelect: acts.onDates },
    { kind: 'separator' },
    ...(row.kind === 'task'
      ? [
          {
            kind: 'submenu' as const,
            label: t('Move to'),
            icon: 'move' as const,
            items: [
              ...tops,
              ...(row.above === loose ? [] : [{ id: loose, title: t('No milestone') }]),
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
  const message = isIt
    ? t('{title} is no longer the go-live', { title: row.title })
    : t('{title} is the go-live', { title: row.title })
  return {
    label: isIt ? t('No longer the go-live') : t('Make it the go-live'),
    icon: 'flag',
    onSelect: () => actions.quietly(actions.change(row, { kind }, message)),
  }
}

function newLines(row: RealRow, may: Props['may'], { onNew }: MenuActs): MenuItem[] {
  const tasks: MenuItem[] =
    row.kind === 'task'
      ? [
          {
            label: t('New task below'),
            icon: 'plus',
            shortcut: 'c',
            onSelect: () => onNew(row.level),
          },
          {
            label: t('New subtask'),
            onSelect: () => onNew(row.level + 1),
            disabled: row.level >= 6,
          },
        ]
      : [{ label: t('New task in it'), icon: 'plus', shortcut: 'c', onSelect: () => onNew(2) }]
  const list = [
    ...(may.create ? tasks : []),
    ...(may.plan && row.kind === 'milestone'
      ? [{ label: t('New milestone below'), onSelect: () => onNew(1) }]
      : []),
  ]
  return list.length ? [{ kind: 'separator' }, ...list] : []
}
