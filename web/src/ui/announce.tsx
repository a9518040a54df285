import { useEffect, useRef } from 'react'
import { Hidden } from './field.tsx'

const regions = new Set<(message: string) => void>()

/** Says something to screen readers alone: "Moved to Proposal, 2 of 5". */
export function announce(message: string): void {
  for (const say of regions) say(message)
}

/** The live region for announcements, rendered by `UiProvider`. */
export function Announcements() {
  const ref = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const say = (message: string) => {
      if (!ref.current) return
      // the same text again must be announced again
      ref.current.textContent = ref.current.textContent === message ? `${message}\u00a0` : message
    }
    regions.add(say)
    return () => void regions.delete(say)
  }, [])
  return (
    <Hidden>
      <span ref={ref} role="status" aria-live="polite" />
    </Hidden>
  )
}
