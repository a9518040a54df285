import type { CSSProperties, ReactNode } from 'react'
import css from './banner.module.css'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { t } from '../locales/text.ts'

const kinds: Record<string, { icon: IconName; color: string }> = {
  info: { icon: 'info', color: 'var(--info)' },
  warn: { icon: 'warning', color: 'var(--warn)' },
  bad: { icon: 'circle-alert', color: 'var(--bad)' },
  good: { icon: 'circle-check', color: 'var(--accent)' },
}

/** A message about the whole page (a bar) or a part of it (`boxed`): offline, read-only, trial run. */
export function Banner({
  kind = 'info',
  icon,
  boxed = false,
  actions,
  onClose,
  children,
}: {
  kind?: 'info' | 'warn' | 'bad' | 'good'
  icon?: IconName
  boxed?: boolean
  actions?: ReactNode
  onClose?: () => void
  children: ReactNode
}) {
  const look = kinds[kind]
  return (
    <div
      className={classes(css.banner, boxed && css.boxed)}
      style={{ '--hue': look?.color } as CSSProperties}
      role={kind === 'bad' ? 'alert' : 'status'}
    >
      <Icon name={icon ?? look?.icon ?? 'info'} />
      <div className={css.text}>{children}</div>
      {(actions || onClose) && (
        <div className={css.actions}>
          {actions}
          {onClose && <IconButton label={t('Close')} icon="x" size="small" onClick={onClose} />}
        </div>
      )}
    </div>
  )
}
