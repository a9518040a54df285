import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps a row where it is on the screen, as far as the list can scroll, while others bring and take rows above it; `at` is its
 * place among rows of a height. The browser must not do the same (`overflow-anchor`).
 */
export function useAnchor(
  scroll: RefObject<HTMLElement | null>,
  id: string | undefined,
  at: number,
  height: number,
): void {
  const before = useRef<{ id: string; at: number }>(undefined)
  useLayoutEffect(() => {
    const was = before.current
    before.current = id === undefined || at < 0 ? undefined : { id, at }
    if (scroll.current && was && was.id === id && at >= 0 && was.at !== at) {
      scroll.current.scrollBy({ top: (at - was.at) * height, behavior: 'instant' })
    }
  })
}
