import { useEffect, useId, useRef, useState } from 'react'
import type { Group, GroupParams } from '../../data/groups.ts'
import { useMoreOfLane } from '../../data/lane.ts'
import type { Module } from '../../data/modules.ts'
import { idOf } from '../../data/record.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Dot } from '../../ui/status.tsx'
import type { Screens } from '../definition.ts'
import { shortMoney, number } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import styles from './board.module.css'
import { Card, type MenuPlace } from './card.tsx'
import { withDragging } from './with-dragging.ts'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  screens: Screens
  lane: Group
  params: GroupParams
  mayMove: boolean
  peek?: string
  onMenu: (at: MenuPlace) => void
  onPeek: (id: string | undefined) => void
  /** creates a record in this lane */
  onNew?: () => void
}

/** A lane: its name, count, sums and cards. */
export function Lane(props: Props) {
  const { module, lane, params, onNew } = props
  const format = useFormat()
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  const [isOver, setOver] = useState(false)
  const [isAtEnd, setAtEnd] = useState(false)
  const { more, hasMore, readMore } = useMoreOfLane(module, params, lane, isAtEnd)
  const isEmpty = lane.count === 0
  useEffect(() => {
    const cards = element.current
    if (!cards) return undefined
    return withDragging(({ makeLane }) =>
      makeLane(cards, { module: module.module, lane: lane.value, onOver: setOver }),
    )
  }, [lane.value, module.module])
  const name = lane.label ?? t('None [lane]')
  return (
    <section
      className={styles.lane}
      aria-labelledby={id}
      data-lane
      data-empty={(isEmpty && !isOver) || undefined}
      data-over={isOver || undefined}
    >
      <header className={styles.head}>
        <h2 id={id}>
          <Dot color={lane.color ?? 'var(--faint)'} />
          <span>{name}</span>
        </h2>
        <span className={styles.count}>{lane.count}</span>
        <span className={styles.sum}>
          {lane.sums
            .map(({ value, currency_unit: unit }) =>
              unit ? shortMoney(value, unit, format) : number(value, format),
            )
            .join(' + ')}
        </span>
        {onNew ? (
          <IconButton
            size="small"
            icon="plus"
            label={t('New {one} in {lane}', { one: module.word.one, lane: name })}
            className={styles.new}
            onClick={onNew}
          />
        ) : null}
      </header>
      <div
        className={styles.cards}
        ref={element}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + clientHeight < scrollHeight - 400) return
          setAtEnd(true)
          readMore()
        }}
      >
        {[...lane.records, ...more].map((record, index) => (
          <Card key={idOf(module, record)} {...props} record={record} index={index} />
        ))}
        {hasMore ? (
          <p className={styles.more} aria-live="polite">
            {t('{count} more', { count: lane.count - lane.records.length - more.length })}
          </p>
        ) : null}
      </div>
    </section>
  )
}
