import type { PointerEvent } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Edge } from './bars.ts'

/** A bar that is dragged by so many days, or a dependency that is drawn from one of its ends. */
export type Drag =
  | { kind: Edge; id: string; days: number }
  | { kind: 'link'; id: string; end: 'start' | 'end'; x: number; y: number; over: Target | null }

export type Target = { id: string; side: 'bar' | 'start' }

type Held = { x: number; pointer: number; hasMoved: boolean }

type Props = {
  /** pixels of a day */
  px: number
  isOff: boolean
  /** the place of a pointer in the drawing, in pixels */
  placeOf: (event: { clientX: number; clientY: number }) => { x: number; y: number }
  /** scrolls where the pointer is at an edge */
  onEdge: (event: { clientX: number; clientY: number }) => void
  onDrop: (drag: Drag) => void
}

/** Drags bars and draws dependencies, by elements with `data-grip` within those with `data-bar`. */
export function useDrag({ px, isOff, placeOf, onEdge, onDrop }: Props) {
  const [drag, setDrag] = useState<Drag>()
  const [held, setHeld] = useState<Held>()
  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setDrag(undefined)
    setHeld(undefined)
  })
  const isHeld = held !== undefined
  useEffect(() => {
    if (!isHeld) return undefined
    addEventListener('keydown', cancel, { capture: true })
    return () => removeEventListener('keydown', cancel, { capture: true })
  }, [isHeld])

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const grip = closest(event.target, '[data-grip]')
    const bar = closest(event.target, '[data-bar]')
    if (isOff || event.button !== 0 || !grip || !bar) return
    const { grip: kind } = grip.dataset
    const id = bar.dataset.bar ?? ''
    event.currentTarget.setPointerCapture(event.pointerId)
    const { x, y } = placeOf(event)
    setHeld({ x, pointer: event.pointerId, hasMoved: false })
    if (kind === 'link-start' || kind === 'link-end') {
      const end = kind === 'link-start' ? 'start' : 'end'
      setDrag({ kind: 'link', id, end, x, y, over: null })
    } else if (kind === 'move' || kind === 'start' || kind === 'end') {
      setDrag({ kind, id, days: 0 })
    }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!held || !drag || event.pointerId !== held.pointer) return
    onEdge(event)
    const { x, y } = placeOf(event)
    if (!held.hasMoved && Math.abs(x - held.x) > 3) setHeld({ ...held, hasMoved: true })
    if (drag.kind === 'link') {
      setDrag({ ...drag, x, y, over: targetAt(event, drag.id) })
      return
    }
    const days = Math.round((x - held.x) / px)
    if (days !== drag.days) setDrag({ ...drag, days })
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    if (!held || !drag || event.pointerId !== held.pointer) return
    setDrag(undefined)
    setHeld(undefined)
    if (drag.kind === 'link' ? drag.over : drag.days) onDrop(drag)
  }

  const onPointerCancel = () => {
    setDrag(undefined)
    setHeld(undefined)
  }
  return { drag, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } }
}

function targetAt({ clientX, clientY }: PointerEvent, own: string): Target | null {
  const under = document.elementFromPoint(clientX, clientY)
  const bar = closest(under, '[data-bar]')
  const id = bar?.dataset.bar
  if (!id || id === own) return null
  const isStart = closest(under, '[data-grip="link-start"]') !== null
  return { id, side: isStart ? 'start' : 'bar' }
}

function closest(target: unknown, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}
