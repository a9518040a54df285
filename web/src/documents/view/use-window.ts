import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** The size of an element that scrolls, and how far it is scrolled, in pixels. */
export function useWindow(room: RefObject<HTMLElement | null>) {
  const [window, setWindow] = useState({ width: 800, height: 600, top: 0 })
  useLayoutEffect(() => {
    const element = room.current
    if (!element) return undefined
    const look = () => {
      const { clientWidth: width, clientHeight: height, scrollTop: top } = element
      setWindow((was) =>
        was.width === width && was.height === height && was.top === top
          ? was
          : { width, height, top },
      )
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [room])
  return window
}
