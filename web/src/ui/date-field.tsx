import type { KeyboardEvent, Ref } from 'react'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import css from './input.module.css'

/**
 * A day (`YYYY-MM-DD`), a local time of a day (`YYYY-MM-DDTHH:MM`) or a time (`HH:MM`) by the browser's
 * own control, or null.
 */
export function DateField({
  value,
  onChange,
  kind = 'date',
  min,
  max,
  className,
  onBlur,
  onKeyDown,
  ref,
  ...control
}: ControlProps & {
  value: string | null
  onChange: (value: string | null) => void
  kind?: 'date' | 'datetime' | 'time'
  min?: string
  max?: string
  className?: string
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  ref?: Ref<HTMLInputElement>
}) {
  return (
    <span className={classes(css.box, className)}>
      <input
        {...useControl(control)}
        ref={ref}
        type={kind === 'datetime' ? 'datetime-local' : kind}
        className={css.input}
        min={min}
        max={max}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
      />
    </span>
  )
}
