import { Checkbox as Base } from '@base-ui/react/checkbox'
import type { MouseEvent, ReactNode } from 'react'
import css from './checkbox.module.css'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import { Icon } from './icons.tsx'

/**
 * A box to tick. With `children` they are its label and part of the target; without, `label` names it.
 * `onChange` also gets the mouse event, for ranges with Shift. `round` is for completing things, next to which
 * a box may select.
 */
export function Checkbox({
  checked,
  onChange,
  indeterminate = false,
  round = false,
  hint,
  children,
  // the library treats an undefined one as missing, and then no key would reach it
  tabIndex = 0,
  ...control
}: ControlProps & {
  checked: boolean
  onChange: (checked: boolean, event: Event) => void
  indeterminate?: boolean
  round?: boolean
  hint?: ReactNode
  children?: ReactNode
  tabIndex?: number
}) {
  const { 'aria-required': _, disabled, ...attributes } = useControl(control)
  const box = (
    <Base.Root
      {...attributes}
      tabIndex={tabIndex}
      disabled={disabled}
      checked={checked}
      indeterminate={indeterminate}
      onCheckedChange={(next, details) => onChange(next, details.event)}
      className={classes(css.box, round && css.round)}
      onClick={stop}
    >
      <Base.Indicator className={css.mark}>
        <Icon name={indeterminate ? 'minus' : 'check'} size={12} />
      </Base.Indicator>
    </Base.Root>
  )
  if (children === undefined) return box
  return (
    <label className={css.row}>
      {box}
      <span>
        {children}
        {hint && <span className={css.hint}>{hint}</span>}
      </span>
    </label>
  )
}

/** Keeps a row that opens on a click from opening when its box is ticked. */
function stop(event: MouseEvent) {
  event.stopPropagation()
}
