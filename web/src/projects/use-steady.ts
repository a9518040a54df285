import { useLayoutEffect, useRef, useState } from 'react'
import type { RowActs } from './row-props.ts'

/** The same functions for as long as the grid stands, that do what the latest ones do. */
export function useSteady(latest: RowActs): RowActs {
  const current = useRef(latest)
  useLayoutEffect(() => {
    current.current = latest
  })
  const [steady] = useState<RowActs>(() => ({
    onActive: (...args) => current.current.onActive(...args),
    onSelect: (...args) => current.current.onSelect(...args),
    onDrag: (...args) => current.current.onDrag(...args),
    onEdit: (...args) => current.current.onEdit(...args),
    onTick: (...args) => current.current.onTick(...args),
    onToggle: (...args) => current.current.onToggle(...args),
    onOpen: (...args) => current.current.onOpen(...args),
    onMenu: (...args) => current.current.onMenu(...args),
  }))
  return steady
}
