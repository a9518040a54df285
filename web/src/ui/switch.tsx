import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import css from './checkbox.module.css'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'

/** A switch with immediate effect. With `apart` its label is at the left and the switch at the right. */
export function Switch({
  checked,
  onChange,
  hint,
  apart = false,
  children,
  ...control
}: ControlProps & {
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
  apart?: boolean
  children?: ReactNode
}) {
  const { 'aria-required': _, 'aria-invalid': __, ...attributes } = useControl(control)
  const track = (
    <Base.Root
      {...attributes}
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      className={css.track}
    >
      <Base.Thumb className={css.thumb} />
    </Base.Root>
  )
  if (children === undefined) return track
  return (
    <label className={classes(css.row, apart && css.apart)}>
      {track}
      <span>
        {children}
        {hint && <span className={css.hint}>{hint}</span>}
      </span>
    </label>
  )
}
