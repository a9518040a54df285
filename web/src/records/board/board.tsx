import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Group } from '../../data/groups.ts'
import { groupsQuery } from '../../data/groups.ts'
import { rememberList } from '../../data/list-place.ts'
import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { moveRecord } from '../../data/move.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { announce } from '../../ui/announce.tsx'
import { ReadFault } from '../read-fault.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useMay } from '../../data/session.ts'
import type { Screens } from '../definition.ts'
import { later } from '../later.tsx'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { fieldsFor } from '../use-list.ts'
import styles from './board.module.css'
import type { MenuPlace } from './card.tsx'
import { Lane } from './lane.tsx'
import { lanesOf } from './lanes.ts'
import { useLostLanes } from './lost-lanes.ts'
import type { Drop } from './dragging.ts'
import { withDragging } from './with-dragging.ts'
import { t } from '../../locales/text.ts'

const MoveMenu = later(() => import('./move-menu.tsx'))
const LostReason = later(() => import('./lost-reason.tsx'))
const NewRecord = later(() => import('../form/new-record.tsx'))

type Props = {
  module: Module
  screens: Screens
  params: ListParams
  peek?: string
  onPeek: (id: string | undefined) => void
}

type Pending = { record: AnyRecord; lane: Group; index: number }

/** Records in lanes, by the value of a field: moved by pointer, by their menu, or by keys. */
export default function Board({ module, screens, params, peek, onPeek }: Props) {
  const { by = '', sum, card = [], asksReason } = screens.board ?? {}
  const mayMove = useMay(module.module, 'update')
  const field = fieldOf(module, by)
  const { page: _page, size: _size, ...search } = params
  const groupParams = {
    ...search,
    sort: 'position',
    by,
    ...(sum ? { sum } : {}),
    fields: fieldsFor(module, [
      ...[by, ...card, screens.tick ?? '', 'position'].filter((name) => fieldOf(module, name)),
      ...module.fields.flatMap(({ name, look }) =>
        look === 'owner' || look === 'tags' ? name : [],
      ),
    ]),
  }
  const query = groupsQuery(module, groupParams)
  const { data, error, isPending, refetch } = useQuery(query)
  const key = JSON.stringify(query.queryKey)
  useEffect(() => rememberList(module.module, JSON.parse(key)), [module.module, key])
  const lost = useLostLanes(asksReason === true)
  const [pending, setPending] = useState<Pending>()
  const [menu, setMenu] = useState<MenuPlace>()
  const [creating, setCreating] = useState<Group>()
  const mayCreate = useMay(module.module, 'create')
  const frame = useRef<HTMLDivElement>(null)
  const lanes = field && data ? lanesOf(field, data.groups) : []

  async function finish({ record, lane, index }: Pending, more?: AnyRecord) {
    const label = lane.label ?? t('None [lane]')
    const done = await moveRecord(module, record, query.queryKey, {
      by,
      value: lane.value,
      label,
      index,
      lanes,
      ...(more ? { more } : {}),
    })
    if (!done) return
    announce(
      t('{title} moved to {lane}, {place} of {total}', {
        title: titleOf(module, record),
        lane: label,
        place: index + 1,
        total: lane.count + 1,
      }),
    )
    // the menu or dialog that moved the card had the focus, and the card is elsewhere now
    if (document.activeElement !== document.body) return
    const link = `a[href$="/${CSS.escape(idOf(module, record))}"]`
    frame.current?.querySelector<HTMLElement>(`[data-card] ${link}`)?.focus()
  }

  function move(record: AnyRecord, lane: Group, index: number) {
    const id = idOf(module, record)
    const from = lanes.find((each) => each.records.some((other) => idOf(module, other) === id))
    const now = from?.records.findIndex((each) => idOf(module, each) === id)
    if (from === lane && now === index) return
    const next = { record, lane, index }
    if (from !== lane && lost.has(String(lane.value))) setPending(next)
    else void finish(next)
  }

  useShortcuts([{ keys: 'm', label: t('Move the card'), group: t('Board') }])

  const drop = useEffectEvent(({ record, lane: value, over, isBelow }: Drop) => {
    const lane = lanes.find((each) => each.value === value)
    if (!lane) return
    const others = lane.records.filter((each) => idOf(module, each) !== idOf(module, record))
    const at = over ? others.findIndex((each) => idOf(module, each) === idOf(module, over)) : -1
    move(record, lane, at < 0 ? others.length : at + (isBelow ? 1 : 0))
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    return withDragging(({ makeBoard }) => makeBoard(element, (dropped) => drop(dropped)))
  }, [])

  if (error && !data) {
    return <ReadFault title={t('The board could not be read')} error={error} onRetry={refetch} />
  }
  return (
    <div
      className={styles.board}
      ref={frame}
      aria-busy={isPending || undefined}
      onKeyDown={(event) => arrows(event, frame.current)}
    >
      {isPending ? <LanesSkeleton /> : null}
      {lanes.map((lane) => (
        <Lane
          key={String(lane.value)}
          {...{ module, screens, lane, mayMove }}
          {...(peek ? { peek } : {})}
          params={groupParams}
          onMenu={setMenu}
          onPeek={onPeek}
          {...(mayCreate && field?.is_writable && !lost.has(String(lane.value))
            ? { onNew: () => setCreating(lane) }
            : {})}
        />
      ))}
      {menu ? (
        <MoveMenu at={menu} lanes={lanes} onMove={move} onClose={() => setMenu(undefined)} />
      ) : null}
      {creating ? (
        <NewRecord
          module={module}
          screens={screens}
          initial={creating.value === null ? {} : { [by]: creating.value }}
          onClose={() => setCreating(undefined)}
          onCreated={() => setCreating(undefined)}
        />
      ) : null}
      {pending && fieldOf(module, 'lost_reason') ? (
        <LostReason
          options={fieldOf(module, 'lost_reason')?.options ?? []}
          onCancel={() => setPending(undefined)}
          onChoose={(reason) => {
            setPending(undefined)
            void finish(pending, { lost_reason: reason })
          }}
        />
      ) : null}
    </div>
  )
}

/** Arrow keys move from card to card: within a lane, and to the same position in the next lane. */
function arrows(event: React.KeyboardEvent, frame: HTMLElement | null) {
  const current = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
  if (!current || !frame || event.target !== current.querySelector('a')) return
  const lanes = [...frame.querySelectorAll('[data-lane]')].map((lane) => [
    ...lane.querySelectorAll<HTMLElement>('[data-card]'),
  ])
  const lane = lanes.findIndex((cards) => cards.includes(current))
  const place = lanes[lane]?.indexOf(current) ?? 0
  const sideways = (step: number) => {
    for (let at = lane + step; lanes[at]; at += step) {
      const cards = lanes[at] ?? []
      if (cards.length) return cards[Math.min(place, cards.length - 1)]
    }
    return undefined
  }
  const next = {
    ArrowDown: lanes[lane]?.[place + 1],
    ArrowUp: lanes[lane]?.[place - 1],
    ArrowRight: sideways(1),
    ArrowLeft: sideways(-1),
  }[event.key]
  if (event.key === 'm') {
    event.preventDefault()
    current.querySelector<HTMLElement>('button[aria-haspopup]')?.click()
  }
  if (!next) return
  event.preventDefault()
  next.querySelector('a')?.focus()
}

/** Placeholders for lanes that are loading. */
function LanesSkeleton() {
  return [3, 2, 1, 2].map((cards, lane) => (
    <div key={lane} className={styles.lane}>
      <div className={styles.head}>
        <Skeleton width={120} height={14} />
      </div>
      <div className={styles.cards}>
        {Array.from({ length: cards }, (_, card) => (
          <Skeleton key={card} height={68} />
        ))}
      </div>
    </div>
  ))
}
