import { useLayoutEffect, useRef, useState } from 'react'
import type { LineActs } from './line-row.tsx'

/** The same functions for as long as the grid stands, that do what the latest ones do. */
export function useSteadyActs(latest: LineActs): LineActs {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  const [steady] = useState<LineActs>(() => ({
    onActive: (...args) => current.current.onActive(...args),
    onEdit: (...args) => current.current.onEdit(...args),
    onToggle: (...args) => current.current.onToggle(...args),
    onMenu: (...args) => current.current.onMenu(...args),
    onUse: (...args) => current.current.onUse(...args),
  }))
  return steady
}
