import { useEffect, useState } from 'react'

/** A debounced value; an empty one at once. */
export function usePaused(value: string, ms: number): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value ? ms : 0)
    return () => clearTimeout(timer)
  }, [value, ms])
  return paused
}
