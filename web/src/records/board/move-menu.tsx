import type { Group } from '../../data/groups.ts'
import type { AnyRecord } from '../../data/record.ts'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { MenuPlace } from './card.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  at: MenuPlace
  lanes: Group[]
  onMove: (record: AnyRecord, lane: Group, index: number) => void
  onClose: () => void
}

/** Moves a card without a pointer: to another lane, up or down. */
export default function MoveMenu({ at, lanes, onMove, onClose }: Props) {
  const { record, lane, index, button } = at
  const items: MenuItem[] = [
    { kind: 'heading', label: t('Move to') },
    ...lanes
      .filter((each) => each.value !== lane.value)
      .map((each): MenuItem => ({
        label: each.label ?? t('None [lane]'),
        color: each.color,
        onSelect: () => onMove(record, each, 0),
      })),
    { kind: 'separator' },
    {
      label: t('Move up'),
      icon: 'arrow-up',
      disabled: index === 0,
      onSelect: () => onMove(record, lane, index - 1),
    },
    {
      label: t('Move down'),
      icon: 'arrow-down',
      disabled: index >= lane.records.length - 1,
      onSelect: () => onMove(record, lane, index + 1),
    },
  ]
  return (
    <Menu
      open
      align="end"
      anchor={button}
      items={items}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    />
  )
}
