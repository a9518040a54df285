import type { CSSProperties, PointerEvent } from 'react'
import { useRef, useState } from 'react'

/** How far a finger goes before it lets go for something to be done, in pixels, and how far the row follows. */
const enough = 88
const farthest = 120

type Sides = { right: (() => void) | undefined; left: (() => void) | undefined }

/** A row that a finger moves aside: to the right does one thing, to the left another. The menu has both. */
export function useSwipe({ right, left }: Sides) {
  const start = useRef<{ x: number; y: number }>(undefined)
  const [by, setBy] = useState(0)
  const limited = Math.max(left ? -farthest : 0, Math.min(right ? farthest : 0, by))
  const end = () => {
    start.current = undefined
    setBy(0)
  }
  return {
    towards: limited > 0 ? ('right' as const) : limited < 0 ? ('left' as const) : undefined,
    style: limited ? ({ translate: `${limited}px 0` } satisfies CSSProperties) : undefined,
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
        if (pointerType === 'touch') start.current = { x, y }
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (!start.current) return
        const x = clientX - start.current.x
        // what goes up or down scrolls
        if (!by && Math.abs(clientY - start.current.y) > Math.abs(x)) return
        if (by || Math.abs(x) > 12) setBy(x)
      },
      onPointerUp: () => {
        const act = limited >= enough ? right : limited <= -enough ? left : undefined
        end()
        act?.()
      },
      onPointerCancel: end,
    },
  }
}
