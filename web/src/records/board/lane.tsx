import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { useEffect, useId, useRef, useState } from 'react'
import type { Group } from '../../data/groups.ts'
import type { Module } from '../../data/modules.ts'
import type { Record } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import { Dot } from '../../ui/status.tsx'
import type { Screens } from '../definition.ts'
import { shortMoney, number } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import styles from './board.module.css'
import { Card } from './card.tsx'

type Props = {
  module: Module
  screens: Screens
  lane: Group
  lanes: Group[]
  mayMove: boolean
  peek?: string
  onMove: (record: Record, lane: Group, index: number) => void
  onPeek: (id: string | undefined) => void
}

/** A lane: its name, how many there are, what they come to, and their cards. */
export function Lane(props: Props) {
  const { module, lane, lanes } = props
  const format = useFormat()
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const stopDropping = dropTargetForElements({
      element: element.current,
      getData: () => ({ lane: lane.value }),
      canDrop: ({ source }) => source.data.module === module.module,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
    const stopScrolling = autoScrollForElements({ element: element.current })
    return () => {
      stopDropping()
      stopScrolling()
    }
  }, [lane.value, module.module])
  return (
    <section className={styles.lane} aria-labelledby={id} data-lane data-over={isOver || undefined}>
      <header className={styles.head}>
        <h2 id={id}>
          <Dot color={lane.color ?? 'var(--faint)'} />
          {lane.label ?? 'None'}
        </h2>
        <span className={styles.count}>{lane.count}</span>
        <span className={styles.sum}>
          {lane.sums
            .map(({ value, currency_unit: unit }) =>
              unit ? shortMoney(value, unit, format) : number(value, format),
            )
            .join(' + ')}
        </span>
      </header>
      <div className={styles.cards} ref={element}>
        {lane.records.map((record, index) => (
          <Card key={idOf(module, record)} {...props} lanes={lanes} record={record} index={index} />
        ))}
        {lane.count > lane.records.length ? (
          <p className={styles.more}>and {lane.count - lane.records.length} more in the table</p>
        ) : null}
      </div>
    </section>
  )
}
