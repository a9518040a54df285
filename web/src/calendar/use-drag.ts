import type { PointerEvent } from 'react'
import { useState } from 'react'
import type { Entry } from './entries.ts'
import type { Slot } from './hours.ts'
import { hourHeight, minuteAt } from './hours.ts'
import { at, later, lengthOf, longer } from './shift.ts'
import type { Times } from './shift.ts'

/** How far a pointer moves before it drags, in pixels. */
const reluctance = 4

/** A meeting that is dragged: where it would be, and the day under the pointer. */
export type Dragged = { entry: Entry; times: Times; slot: Slot | undefined; day: string }

/** Meetings that are dragged to another time, or at their end; `done` gets the new times. Fingers scroll instead. */
export function useDrag(
  { timezone, organization }: { timezone: string; organization: string },
  done: (entry: Entry, times: Times) => void,
) {
  const [dragged, setDragged] = useState<Dragged>()
  const grab = (entry: Entry, event: PointerEvent<HTMLElement>, what: 'move' | 'end') => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const { clientX, clientY } = event
    const held = dayUnder(clientX, clientY)
    const offset = held ? minuteAt(held, clientY) - (entry.first < dayOf(held) ? 0 : entry.from) : 0
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
      const day = dayOf(cell)
      const isTimed = cell.matches('[data-timed]') && !entry.isWhole
      if (what === 'end') {
        const minutes = rounded(((moved.clientY - clientY) / hourHeight) * 60)
        const times = longer(entry, minutes)
        const to = entry.from + lengthOf(times) / 60_000
        show({ entry, times, day: entry.first, slot: { day: entry.first, from: entry.from, to } })
      } else if (isTimed) {
        const minutes = lengthOf(entry.meeting) / 60_000
        const from = Math.min(Math.max(rounded(minuteAt(cell, moved.clientY) - offset), 0), 1425)
        const slot = { day, from, to: from + minutes }
        show({ entry, times: at(entry, day, from, timezone), day, slot })
      } else {
        const days = Math.round((Date.parse(day) - Date.parse(entry.first)) / 86_400_000)
        show({ entry, times: later(entry, { days }, timezone, organization), day, slot: undefined })
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
      if (isDone && last.times.start + last.times.end !== entry.meeting.start + entry.meeting.end) {
        done(entry, last.times)
      }
    }
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  }
  return { dragged, grab }
}

const rounded = (minutes: number) => Math.round(minutes / 15) * 15

const dayOf = (cell: Element) =>
  cell.getAttribute('data-day') ?? cell.getAttribute('data-whole') ?? ''

function dayUnder(x: number, y: number): Element | undefined {
  return document.elementsFromPoint(x, y).find((each) => each.matches('[data-day],[data-whole]'))
}
