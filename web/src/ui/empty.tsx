import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './empty.module.css'
import { Icon, type IconName } from './icons.tsx'

/** Says what belongs where nothing is yet, and offers the first step. `small` for panels and cards. */
export function Empty({
  icon,
  title,
  children,
  action,
  small = false,
  as: Heading = 'h2',
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
  small?: boolean
  as?: 'h1' | 'h2' | 'h3'
}) {
  return (
    <div className={classes(css.empty, small && css.small)}>
      {icon && (
        <span className={css.sign}>
          <Icon name={icon} size={20} />
        </span>
      )}
      <Heading className={css.title}>{title}</Heading>
      {children && <div className={css.text}>{children}</div>}
      {action && <div className={css.actions}>{action}</div>}
    </div>
  )
}
