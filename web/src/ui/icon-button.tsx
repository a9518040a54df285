import type { ButtonHTMLAttributes, Ref } from 'react'
import { buttonClass, squareClass, type ButtonSize, type ButtonVariant } from './button.tsx'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icons.tsx'
import { tip, type TipSide } from './tooltip.tsx'

/** A button of an icon alone, with its required name as tooltip and for screen readers. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'medium',
  shortcut,
  side,
  className,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  label: string
  icon: IconName
  variant?: ButtonVariant
  size?: ButtonSize
  shortcut?: string
  side?: TipSide
  ref?: Ref<HTMLButtonElement>
}) {
  return (
    <button
      type="button"
      {...rest}
      {...tip(label, { shortcut, side })}
      aria-label={label}
      className={classes(buttonClass({ variant, size }), squareClass, className)}
    >
      <Icon name={icon} />
    </button>
  )
}
