import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** How many rows are in the page above and below those in sight. */
const around = 5
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
  const hasRows = count > 0
  useLayoutEffect(() => {
    const element = scroll.current
    if (!element) return
    let height = 32
    let sight = 0
    const look = () => {
      // in steps, so that most movements change nothing
      const first = Math.floor(element.scrollTop / height / 5) * 5
      const last = first + Math.ceil(sight / height / 5) * 5 + 5
      setSeen((before) =>
        before.from === first && before.to === last && before.height === height
          ? before
          : { from: first, to: last, height },
      )
    }
    // a measure makes the browser lay out the page, which no frame of scrolling can afford
    const measure = () => {
      height =
        (hasRows && element.querySelector('tr[data-row]')?.getBoundingClientRect().height) || 32
      sight = element.clientHeight
      look()
    }
    measure()
    const size = new ResizeObserver(measure)
    size.observe(element)
    if (element.firstElementChild) size.observe(element.firstElementChild)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroll, hasRows])
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
