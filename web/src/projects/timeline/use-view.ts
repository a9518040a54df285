import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** What of a scrolling element is seen, in pixels. */
export type View = { left: number; top: number; width: number; height: number }

/** The part of an element that is seen; at most once a frame, in steps of 20 pixels. */
export function useView(ref: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ left: 0, top: 0, width: 1200, height: 600 })
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let frame = 0
    const read = () => {
      frame = 0
      const step = (value: number) => Math.floor(value / 20) * 20
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
      const next = {
        left: step(scrollLeft),
        top: step(scrollTop),
        width: clientWidth,
        height: clientHeight,
      }
      setView((before) =>
        Object.entries(next).every(([name, value]) => before[name as keyof View] === value)
          ? before
          : next,
      )
    }
    const soon = () => (frame ||= requestAnimationFrame(read))
    const sizes = new ResizeObserver(soon)
    sizes.observe(element)
    element.addEventListener('scroll', soon, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', soon)
      cancelAnimationFrame(frame)
    }
  }, [ref])
  return view
}
