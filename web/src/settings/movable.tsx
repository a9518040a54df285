import type { ReactNode } from 'react'
import { useState } from 'react'
import { announce } from '../ui/announce.tsx'
import { classes } from '../ui/classes.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { moved } from './order.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Props<T> = {
  items: T[]
  keyOf: (item: T) => string
  nameOf: (item: T) => string
  isReadOnly: boolean
  onOrder: (items: T[], message: string) => void
  /** renders a row; `moves` are the entries of its menu that move it */
  children: (item: T, moves: MenuItem[]) => ReactNode
}

const moves = [
  { by: -1, label: t('Move up'), icon: 'arrow-up', shortcut: 'Alt+ArrowUp' },
  { by: 1, label: t('Move down'), icon: 'arrow-down', shortcut: 'Alt+ArrowDown' },
] as const

/** Rows that are ordered by dragging, or by Alt with the arrow keys. */
export function Movable<T>({ items, keyOf, nameOf, isReadOnly, onOrder, children }: Props<T>) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const put = (from: number, to: number) => {
    const item = items[from]
    if (!item || to < 0 || to >= items.length || from === to) return
    onOrder(moved(items, from, to), t('{name} moved', { name: nameOf(item) }))
    announce(t('{name}, {to} of {count}', { name: nameOf(item), to: to + 1, count: items.length }))
  }
  return items.map((item, i) => (
    <div
      key={keyOf(item)}
      className={classes(
        over === i && dragged !== undefined && styles.over,
        dragged === i && styles.dragged,
      )}
      onDragStart={(event) => {
        if (!(event.target instanceof Element) || !event.target.closest('[draggable]')) return
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', nameOf(item))
        setDragged(i)
      }}
      onDragOver={(event) => {
        if (dragged === undefined) return
        event.preventDefault()
        setOver(i)
      }}
      onDrop={(event) => {
        event.preventDefault()
        if (dragged !== undefined) put(dragged, i)
      }}
      onDragEnd={() => {
        setDragged(undefined)
        setOver(undefined)
      }}
      onKeyDown={(event) => {
        if (isReadOnly || !event.altKey) return
        if (event.key === 'ArrowUp') put(i, i - 1)
        else if (event.key === 'ArrowDown') put(i, i + 1)
        else return
        event.preventDefault()
      }}
    >
      {children(
        item,
        moves
          .filter(({ by }) => items[i + by] !== undefined)
          .map(({ by, ...entry }) => ({ ...entry, onSelect: () => put(i, i + by) })),
      )}
    </div>
  ))
}
