import type { RefObject } from 'react'
import { useEffect, useEffectEvent } from 'react'

/** By how much two fingers part, or come together, for the next scale. */
const enough = 1.4

/** Calls with -1 when two fingers part on an element and with 1 when they come together, with where their middle is. */
export function usePinch(
  of: RefObject<HTMLElement | null>,
  onPinch: (by: 1 | -1, clientX: number) => void,
) {
  const pinched = useEffectEvent(onPinch)
  useEffect(() => {
    const element = of.current
    if (!element) return
    let from: number | undefined
    const stop = new AbortController()
    const begin = ({ touches }: TouchEvent) => {
      from = touches.length === 2 ? apart(touches) : undefined
    }
    const move = (event: TouchEvent) => {
      const { touches } = event
      if (from === undefined || touches.length !== 2) return
      // the page would be made larger instead
      event.preventDefault()
      const ratio = apart(touches) / from
      if (ratio < enough && ratio > 1 / enough) return
      from = apart(touches)
      pinched(ratio > 1 ? -1 : 1, middle(touches))
    }
    const { signal } = stop
    element.addEventListener('touchstart', begin, { passive: true, signal })
    element.addEventListener('touchend', begin, { passive: true, signal })
    element.addEventListener('touchmove', move, { passive: false, signal })
    return () => stop.abort()
  }, [of])
}

function apart([one, other]: TouchList): number {
  if (!one || !other) return 1
  return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY))
}

function middle([one, other]: TouchList): number {
  return one && other ? (one.clientX + other.clientX) / 2 : 0
}
