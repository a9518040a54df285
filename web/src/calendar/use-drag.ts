import type { PointerEvent } from 'react'
import { useState } from 'react'
import { daysBetween } from './days.ts'
import type { Entry } from './entries.ts'
import type { Slot } from './hours.ts'
import { hourHeight, minuteAt } from './hours.ts'
import { at, carried, later, lengthOf, longer, rounded } from './shift.ts'
import type { Point, Times } from './shift.ts'

/** How far a pointer moves before it drags, in pixels. */
const reluctance = 4

/** A meeting that is dragged: where it would be, and the day under the pointer. */
export type Dragged = { entry: Entry; times: Times; slot: Slot | undefined; day: string }

/** Meetings that are dragged to another time, or at their end; `done` gets the new times. Fingers scroll instead. */
export function useDrag(done: (entry: Entry, times: Times) => void) {
  const [dragged, setDragged] = useState<Dragged>()
  const grab = (entry: Entry, event: PointerEvent<HTMLElement>, what: 'move' | 'end') => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const { clientX, clientY } = event
    const below = dayUnder(clientX, clientY)
    const held = below ? pointOf(below, clientY) : { day: entry.first, minute: entry.from }
    const stopping = new AbortController()
    const { signal } = stopping
    let now: Dragged | undefined
    const show = (next: Dragged | undefined) => {
      now = next
      setDragged(next)
    }
    const move = (moved: globalThis.PointerEvent) => {
      const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY)
      if (!now && far < reluctance) return
      const cell = dayUnder(moved.clientX, moved.clientY)
      if (!cell) return
      const to = pointOf(cell, moved.clientY)
      const { day } = to
      const isTimed = cell.matches('[data-timed]') && !entry.isWhole
      if (what === 'end') {
        const minutes = rounded(((moved.clientY - clientY) / hourHeight) * 60)
        const times = longer(entry, minutes)
        const { first, from } = entry
        const slot = { day: first, from, to: from + lengthOf(times) / 60_000 }
        show({ entry, times, day: first, slot })
      } else if (isTimed) {
        const minutes = lengthOf(entry.meeting) / 60_000
        const { day: first, minute: from } = carried(entry, held, to)
        const slot = { day: first, from, to: from + minutes }
        show({ entry, times: at(entry, first, from), day, slot })
      } else {
        const times = later(entry, { days: daysBetween(held.day, day) })
        show({ entry, times, day, slot: undefined })
      }
    }
    const end = (isDone: boolean) => {
      stopping.abort()
      const last = now
      show(undefined)
      if (!last) return
      // the click that follows would open it
      const quiet = new AbortController()
      addEventListener('click', (click) => click.stopPropagation(), {
        capture: true,
        signal: quiet.signal,
      })
      setTimeout(() => quiet.abort())
      if (isDone) done(entry, last.times)
    }
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  }
  return { dragged, grab }
}

const pointOf = (cell: Element, y: number): Point => ({
  day: dayOf(cell),
  minute: minuteAt(cell, y),
})

const dayOf = (cell: Element) =>
  cell.getAttribute('data-day') ?? cell.getAttribute('data-whole') ?? ''

function dayUnder(x: number, y: number): Element | undefined {
  return document.elementsFromPoint(x, y).find((each) => each.matches('[data-day],[data-whole]'))
}
