import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** How many rows are in the page above and below those in sight. */
const around = 10
/** Plans of so few rows are in the page as a whole. */
const few = 60

/** A part of a list that is in the page, from its first row to the one before its last, and the height before it. */
export type Run = { from: number; to: number; before: number }

/**
 * The rows of a long list that are in the page: those in sight with some around them, and `kept` ones, such as the row
 * with the focus, wherever they are. All rows are as high as the first one.
 */
export function useWindow(scroll: RefObject<HTMLElement | null>, count: number, kept: number[]) {
  const [seen, setSeen] = useState({ from: 0, to: few, height: 32 })
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    const look = () => {
      const height = element.querySelector('tr[data-row]')?.getBoundingClientRect().height || 32
      // in steps, so that most movements change nothing
      const first = Math.floor(element.scrollTop / height / 5) * 5
      const last = first + Math.ceil(element.clientHeight / height / 5) * 5 + 5
      setSeen((before) =>
        before.from === first && before.to === last && before.height === height
          ? before
          : { from: first, to: last, height },
      )
    }
    look()
    const size = new ResizeObserver(look)
    size.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroll])
  return { height: seen.height, ...runsOf(seen, count, kept) }
}

/** The parts that are in the page, and the height behind the last one, in rows. */
export function runsOf(
  seen: { from: number; to: number },
  count: number,
  kept: number[],
): { runs: Run[]; rest: number } {
  if (count <= few) return { runs: [{ from: 0, to: count, before: 0 }], rest: 0 }
  const from = Math.max(0, Math.min(seen.from, count - 1) - around)
  const to = Math.min(count, seen.to + around)
  const singles = kept.filter((at) => at >= 0 && at < count && (at < from || at >= to))
  const parts = [...new Set(singles)]
    .map((at) => ({ from: at, to: at + 1 }))
    .concat({ from, to })
    .toSorted((one, other) => one.from - other.from)
  let end = 0
  const runs = parts.map((part) => {
    const before = part.from - end
    end = part.to
    return { ...part, before }
  })
  return { runs, rest: count - end }
}
