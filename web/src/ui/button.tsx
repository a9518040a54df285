import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ReactElement,
  ReactNode,
  Ref,
} from 'react'
import { cloneElement } from 'react'
import css from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icons.tsx'

/** The emphasis of a button: one `primary` on a page, `quiet` within lists and bars. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

/** 26, 30 and 38 pixels high; 44 on touch devices. */
export type ButtonSize = 'small' | 'medium' | 'large'

export type ButtonLook = {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: IconName
  iconAfter?: IconName
  /** As wide as its container. */
  wide?: boolean
}

export type ButtonProps = ButtonLook &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    /** Waiting for an answer: keeps its width and position, and ignores clicks. */
    busy?: boolean
    ref?: Ref<HTMLButtonElement>
  }

/** A button with a text: a verb and what it acts on, as in "Mark as lost". */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  iconAfter,
  wide,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(buttonClass({ variant, size, wide }), busy && css.busy, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      <Inside icon={icon} iconAfter={iconAfter}>
        {children}
      </Inside>
      {busy && <span className={css.spin} aria-hidden="true" />}
    </button>
  )
}

/** A link that looks like a button. `render` takes a router's link in the place of `<a>`. */
export function ButtonLink({
  variant = 'secondary',
  size = 'medium',
  icon,
  iconAfter,
  wide,
  className,
  children,
  render,
  ...rest
}: ButtonLook &
  AnchorHTMLAttributes<HTMLAnchorElement> & {
    render?: ReactElement
    ref?: Ref<HTMLAnchorElement>
  }) {
  const props = { ...rest, className: classes(buttonClass({ variant, size, wide }), className) }
  const inside = (
    <Inside icon={icon} iconAfter={iconAfter}>
      {children}
    </Inside>
  )
  return render ? cloneElement(render, props, inside) : <a {...props}>{inside}</a>
}

/** The classes of a button, for other elements. */
export function buttonClass({ variant = 'secondary', size = 'medium', wide }: ButtonLook): string {
  return (
    classes(css.button, css[variant], size !== 'medium' && css[size], wide === true && css.wide) ??
    ''
  )
}

/** The class of a button that shows an icon alone. */
export const squareClass: string = css.square ?? ''

function Inside({
  icon,
  iconAfter,
  children,
}: {
  icon: IconName | undefined
  iconAfter: IconName | undefined
  children: ReactNode
}) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span className={css.text}>{children}</span>}
      {iconAfter && <Icon name={iconAfter} size={14} />}
    </>
  )
}
