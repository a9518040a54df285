import type { HomeRow } from '../data/home.ts'
import type { Format } from '../records/field/format.ts'
import type { MenuItem } from '../ui/menu.tsx'
import type { RowActs } from './row.tsx'
import { longWeekday, nextOn } from './words.ts'
import { t } from '../locales/text.ts'

type Does = {
  acts: RowActs
  today: string
  format: Format
  move: (row: HomeRow, day: string) => void
  comment: (row: HomeRow) => void
  choose: (what: 'person' | 'day') => (row: HomeRow) => void
}

/** All that can be done with a row, with the keys that do the same. */
export function menuOf(
  row: HomeRow,
  { acts, today, format, move, comment, choose }: Does,
): MenuItem[] {
  const may = (act: HomeRow['acts'][number]) => row.acts.includes(act)
  const items: (MenuItem | false)[] = [
    may('done') && {
      label: t('Done'),
      icon: 'check',
      shortcut: 'Space',
      onSelect: () => acts.tick(row),
    },
    may('read') && {
      label: t('Mark as read'),
      icon: 'check',
      shortcut: 'Space',
      onSelect: () => acts.read(row),
    },
    { label: t('Open'), icon: 'panel-right', shortcut: 'Enter', onSelect: () => acts.open(row) },
    may('comment') && {
      label: t('Comment'),
      icon: 'message-square',
      shortcut: 'r',
      onSelect: () => comment(row),
    },
    may('give') && {
      label: t('Give to…'),
      icon: 'user',
      shortcut: 'a',
      onSelect: () => choose('person')(row),
    },
    ...(may('move') ? moves() : []),
  ]
  return items.filter((item) => item !== false)

  function moves(): MenuItem[] {
    return [
      { kind: 'separator' },
      { kind: 'heading', label: t('Move to') },
      { label: acts.nextDay, icon: 'calendar', shortcut: 'n', onSelect: () => acts.next(row) },
      ...[1, 2, 3, 4, 5].map((weekday): MenuItem => {
        const day = nextOn(weekday, today)
        return {
          label: longWeekday(day, format),
          icon: 'calendar',
          shortcut: String(weekday),
          onSelect: () => move(row, day),
        }
      }),
      {
        label: t('Another day…'),
        icon: 'calendar-days',
        shortcut: 'z',
        onSelect: () => choose('day')(row),
      },
    ]
  }
}
