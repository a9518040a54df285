import type { PointerEvent } from 'react'
import { useRef, useState } from 'react'
import type { Slot } from './hours.ts'
import { minuteAt } from './hours.ts'

/** How far a pointer moves before it drags, in pixels. */
const reluctance = 4

/** A new meeting drawn over the hours of a day; `done` gets its slot. Fingers scroll instead. */
export function useDraw(done: (slot: Slot) => void) {
  const [drawn, setDrawn] = useState<Slot>()
  const began = useRef<{ day: string; y: number; at: number }>(undefined)
  const press = (day: string, event: PointerEvent<HTMLElement>) => {
    const { target, currentTarget, button, pointerType, clientY } = event
    if (target !== currentTarget || button !== 0 || pointerType === 'touch') return
    const column = currentTarget
    began.current = { day, y: clientY, at: minuteAt(column, clientY) }
    const stopping = new AbortController()
    const { signal } = stopping
    let slot: Slot | undefined
    const show = (next: Slot | undefined) => {
      slot = next
      setDrawn(next)
    }
    const end = (isDone: boolean) => {
      stopping.abort()
      const made = slot
      show(undefined)
      if (isDone && made) done(made)
    }
    addEventListener(
      'pointermove',
      (moved: globalThis.PointerEvent) => {
        const start = began.current
        if (!start || (!slot && Math.abs(moved.clientY - start.y) < reluctance)) return
        const now = minuteAt(column, moved.clientY)
        const [from, to] = [Math.min(start.at, now), Math.max(start.at, now)]
        const first = Math.max(Math.floor(from / 15) * 15, 0)
        show({
          day,
          from: first,
          to: Math.min(Math.max(Math.ceil(to / 15) * 15, first + 15), 1440),
        })
      },
      { signal },
    )
    addEventListener('pointerup', () => end(true), { signal })
    addEventListener('pointercancel', () => end(false), { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  }
  return { drawn, press }
}
