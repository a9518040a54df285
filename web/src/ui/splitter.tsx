import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import css from './splitter.module.css'

/**
 * The line between two panes, dragged or moved by the arrow keys (16 pixels; Home and End for the
 * limits; a double click for the first size). `width` is that of the pane on the side of `pane`;
 * `onWidth` is called while it changes and `onCommit` when it is done.
 */
export function Splitter({
  pane,
  width,
  min,
  max,
  initial,
  onWidth,
  onCommit,
  label,
  controls,
}: {
  pane: 'left' | 'right'
  width: number
  min: number
  max: number
  initial?: number
  onWidth: (width: number) => void
  onCommit?: (width: number) => void
  label: string
  /** The id of the pane whose size it changes. */
  controls?: string
}) {
  const start = useRef({ x: 0, width: 0 })
  const [dragging, setDragging] = useState(false)
  const sign = pane === 'left' ? 1 : -1
  const limit = (next: number) => Math.round(Math.min(max, Math.max(min, next)))
  const jump = (next: number) => {
    onWidth(limit(next))
    onCommit?.(limit(next))
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
    setDragging(true)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (dragging) onWidth(limit(start.current.width + sign * (event.clientX - start.current.x)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: width - sign * 16,
      ArrowRight: width + sign * 16,
      Home: min,
      End: max,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    jump(next)
  }
  return (
    <div
      className={css.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={width}
      tabIndex={0}
      data-dragging={dragging || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => {
        setDragging(false)
        onCommit?.(width)
      }}
      onDoubleClick={() => initial !== undefined && jump(initial)}
      onKeyDown={onKeyDown}
    />
  )
}
