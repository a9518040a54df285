import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { CopyButton } from './code.tsx'
import css from './empty.module.css'
import { Icon } from './icons.tsx'
import { t } from '../locales/text.ts'

/** Says what went wrong, what to do, and the request's id to copy for whoever helps. */
export function Fault({
  title,
  message,
  requestId,
  onRetry,
  retry = t('Try again'),
  action,
  small = false,
  as: Heading = 'h2',
}: {
  title: string
  message?: ReactNode
  requestId?: string | null
  onRetry?: () => void
  retry?: string
  action?: ReactNode
  small?: boolean
  as?: 'h1' | 'h2' | 'h3'
}) {
  return (
    <div className={classes(css.empty, small && css.small)} role="alert">
      <span className={classes(css.sign, css.bad)}>
        <Icon name="circle-alert" size={20} />
      </span>
      <Heading className={css.title}>{title}</Heading>
      {message && <div className={css.text}>{message}</div>}
      {(onRetry || action) && (
        <div className={css.actions}>
          {onRetry && (
            <Button icon="refresh-cw" onClick={onRetry}>
              {retry}
            </Button>
          )}
          {action}
        </div>
      )}
      {requestId && (
        <div className={css.request}>
          {t('Request')} <code>{requestId}</code>
          <CopyButton text={requestId} label={t('Copy the request id')} />
        </div>
      )}
    </div>
  )
}
