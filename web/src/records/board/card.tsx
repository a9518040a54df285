import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Group } from '../../data/groups.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf, fieldThatLooks } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { isAllowed } from '../../data/session.ts'
import { idOf, titleOf, valueOf } from '../../data/record.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TagLine } from '../../ui/tag.tsx'
import type { Screens } from '../definition.ts'
import { addressIn } from '../definition.ts'
import { personIn } from '../field/linked.ts'
import { FieldValue, isEmpty } from '../field/show.tsx'
import { Tick } from '../field/tick.tsx'
import { withDragging } from './with-dragging.ts'
import styles from './board.module.css'
import { t } from '../../locales/text.ts'

/** The card whose menu is open, and the button that opened it. */
export type MenuPlace = { record: AnyRecord; lane: Group; index: number; button: Element }

type Props = {
  module: Module
  screens: Screens
  lane: Group
  record: AnyRecord
  index: number
  mayMove: boolean
  peek?: string
  onMenu: (at: MenuPlace) => void
  onPeek: (id: string | undefined) => void
}

/** A record on a board, with the menu that moves it without a pointer. */
export function Card({
  module,
  screens,
  lane,
  record,
  index,
  mayMove: mayMoveCards,
  peek,
  onMenu,
  onPeek,
}: Props) {
  const id = idOf(module, record)
  const title = titleOf(module, record)
  const mayMove = mayMoveCards && isAllowed(record, 'update')
  const element = useRef<HTMLElement>(null)
  const [edge, setEdge] = useState<'top' | 'bottom'>()
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const card = element.current
    if (!card || !mayMove) return undefined
    return withDragging(({ makeCard }) =>
      makeCard(card, { module: module.module, record, onDragged: setDragged, onOver: setEdge }),
    )
  }, [record, module.module, mayMove])
  const owner = personIn(valueOf(record, fieldThatLooks(module, 'owner')?.name ?? ''))
  const tags = Array.isArray(record.tags) ? record.tags.map(String) : []
  return (
    <article
      ref={element}
      className={styles.card}
      data-card
      data-edge={edge}
      data-dragged={isDragged || undefined}
      data-picked={peek === id || undefined}
    >
      <div className={styles.top}>
        <Tick module={module} screens={screens} record={record} />
        <Link
          to={addressIn(screens, id)}
          className={styles.title}
          draggable={false}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            onPeek(id)
          }}
        >
          {title}
        </Link>
        {mayMove ? (
          <IconButton
            size="small"
            label={t('Move {title}', { title })}
            icon="more"
            aria-haspopup="menu"
            onClick={({ currentTarget }) => onMenu({ record, lane, index, button: currentTarget })}
          />
        ) : null}
      </div>
      <div className={styles.facts}>
        {(screens.board?.card ?? []).map((name) => {
          const field = fieldOf(module, name)
          return field && !isEmpty(valueOf(record, name)) ? (
            <span key={name} className={field.type === 'currency' ? styles.amount : undefined}>
              <FieldValue field={field} record={record} line />
            </span>
          ) : null
        })}
        {owner ? (
          <span className={styles.owner}>
            <Avatar name={owner.full_name} image={owner.profile_image ?? null} size={20} label />
          </span>
        ) : null}
      </div>
      {tags.length ? <TagLine tags={tags.map((label) => ({ label }))} limit={3} /> : null}
    </article>
  )
}
