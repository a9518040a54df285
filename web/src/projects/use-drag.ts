import type { DragEvent, RefObject } from 'react'
import { useState } from 'react'
import type { PlanPlace } from '../data/plan-places.ts'
import { placeBehind } from './places.ts'
import type { PlanRow, RealRow } from './tree.ts'
import { deepest, isReal } from './tree.ts'
import type { Selected } from './use-selected.ts'
import type { Work } from './use-work.ts'

/** How far the pointer goes sideways for a level. */
const step = 20

/** Where dragged rows would go: the line that shows it, behind all rows or not, and its level with what it is below. */
export type Drop = {
  top: number
  isLast: boolean
  level: number
  into: string | null
  place: PlanPlace
}

/** Rows that are dragged by their handle: one, or the selection that it is of. */
export function useDrag(work: Work, scroll: RefObject<HTMLElement | null>, selected: Selected) {
  const { rows, actions, may } = work
  const [dragged, setDragged] = useState<RealRow[]>([])
  const [drop, setDrop] = useState<Drop>()
  // where the pointer was, and the level of what it took
  const [begun, setBegun] = useState({ x: 0, level: 1 })
  const end = () => {
    setDragged([])
    setDrop(undefined)
  }
  return {
    dragged,
    drop,
    start: (event: DragEvent<HTMLElement>, id: string) => {
      const ids = selected.ids.has(id) ? selected.ids : new Set([id])
      const list = rows.filter(isReal).filter((row) => ids.has(row.id) && may(row).change)
      if (!list.length) return event.preventDefault()
      const row = event.currentTarget.closest('tr')
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', list.map(({ title }) => title).join('\n'))
      if (row) event.dataTransfer.setDragImage(row, 24, 16)
      setDragged(list)
      setBegun({ x: event.clientX, level: Math.min(...list.map(({ level }) => level)) })
    },
    over: (event: DragEvent<HTMLElement>) => {
      const box = scroll.current
      if (box && dragged.length) goOn(box, event.clientY)
      const target = box && dragged.length ? rowAt(box, event.target) : undefined
      const at = rows.findIndex(({ id }) => id === target?.dataset.row)
      if (!box || !target || at < 0) return
      event.preventDefault()
      const { top, height } = target.getBoundingClientRect()
      const share = Math.min(1, (event.clientY - top) / height)
      const pointed = begun.level + Math.round((event.clientX - begun.x) / step)
      const found = placeAt(rows, actions.all, dragged, { at, share, pointed })
      const y = top - box.getBoundingClientRect().top + box.scrollTop
      const isLast = at === rows.length - 1 && share >= 1 / 3
      const line = found && { ...found, isLast, top: y + (share < 1 / 3 ? 0 : height) }
      setDrop((before) =>
        before?.top === line?.top && before?.level === line?.level ? before : line,
      )
    },
    release: (event: DragEvent<HTMLElement>) => {
      if (!drop || !dragged.length) return
      event.preventDefault()
      actions.quietly(actions.moveToPlace(dragged, drop.place))
      end()
    },
    end,
  }
}

/** The row under the pointer, or the last one where nothing is below it. */
function rowAt(box: HTMLElement, target: EventTarget): HTMLElement | undefined {
  const row = target instanceof Element ? target.closest('tr') : null
  return row ?? [...box.querySelectorAll<HTMLElement>('tr[data-row]')].at(-1)
}

/** How near to an edge the pointer has to be for the plan to go on, and by how much it does each time. */
const edge = { height: 48, step: 24 }

/** Scrolls on while something is held at the upper or lower edge: it is over it again and again. */
function goOn(box: HTMLElement, y: number) {
  const { top, bottom } = box.getBoundingClientRect()
  if (y < top + edge.height) box.scrollTop -= edge.step
  if (y > bottom - edge.height) box.scrollTop += edge.step
}

type Pointer = {
  /** the row under the pointer, and how far down in it */
  at: number
  share: number
  /** the level to which the pointer has gone sideways */
  pointed: number
}

/**
 * The place under the pointer: before or behind a row, at the level to which the pointer has gone as far as there is one, or
 * below the row itself in its middle.
 */
export function placeAt(
  rows: PlanRow[],
  all: PlanRow[],
  dragged: RealRow[],
  { at, share, pointed }: Pointer,
): Omit<Drop, 'top' | 'isLast'> | undefined {
  const gone = below(all, new Set(dragged.map(({ id }) => id)))
  const rest = all.filter(({ id }) => !gone.has(id))
  const shown = rows.map((row) => (gone.has(row.id) ? undefined : row))
  const before = share < 1 / 3 ? at - 1 : at
  const above = shown.slice(0, before + 1).findLast((row) => row !== undefined)
  const next = shown.slice(before + 1).find((row) => row !== undefined)
  const isMilestone = dragged.some(({ kind }) => kind === 'milestone')
  if (isMilestone) {
    if (dragged.some(({ kind }) => kind === 'task')) return undefined
    return { level: 1, into: null, place: placeBehind(rest, above?.id ?? null, 1) }
  }
  if (!above) return undefined
  const isInside = share >= 1 / 3 && share <= 2 / 3 && shown[at] !== undefined
  const height = heightOf(all, dragged)
  const most = Math.min(above.level + 1, deepest - height)
  const least = Math.min(Math.max(2, next?.level ?? 2), most)
  const level = isInside ? most : Math.max(least, Math.min(pointed, most))
  if (level < 2) return undefined
  const place = placeBehind(rest, above.id, level)
  const id = place.kind === 'task' ? (place.parent_id ?? place.milestone_id) : null
  return { level, into: rest.find((row) => row.id === id)?.title ?? null, place }
}

/** Some rows with all below them. */
function below(all: PlanRow[], ids: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(ids)
  for (const { id, above } of all) if (above !== null && found.has(above)) found.add(id)
  return found
}

/** How many levels are below the deepest of dragged rows. */
function heightOf(all: PlanRow[], dragged: RealRow[]): number {
  const heights = dragged.map((row) => {
    const its = below(all, new Set([row.id]))
    return Math.max(...all.flatMap(({ id, level }) => (its.has(id) ? level - row.level : 0)))
  })
  return Math.max(0, ...heights)
}
