import { useRef } from 'react'
import styles from './table.module.css'
import { t } from '../../locales/text.ts'

const least = 64
const most = 640
const step = 16

/** The edge of a column's header, by which it becomes wider: by pointer, or by arrow keys. */
export function ColumnGrip({
  label,
  onWidth,
}: {
  label: string
  onWidth: (width: number) => void
}) {
  const grip = useRef<HTMLButtonElement>(null)
  const widthNow = () => grip.current?.parentElement?.getBoundingClientRect().width ?? least
  const set = (width: number) => onWidth(Math.round(Math.min(most, Math.max(least, width))))
  return (
    <button
      ref={grip}
      type="button"
      tabIndex={-1}
      className={styles.grip}
      aria-label={t('Width of {label}', { label })}
      onPointerDown={(event) => {
        event.preventDefault()
        const from = event.clientX
        const width = widthNow()
        const target = event.currentTarget
        target.setPointerCapture(event.pointerId)
        const move = (moved: PointerEvent) => set(width + moved.clientX - from)
        target.addEventListener('pointermove', move)
        target.addEventListener(
          'lostpointercapture',
          () => target.removeEventListener('pointermove', move),
          { once: true },
        )
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        event.stopPropagation()
        set(widthNow() + (event.key === 'ArrowRight' ? step : -step))
      }}
    />
  )
}
