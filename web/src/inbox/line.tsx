import type { Notification } from '../data/inbox.ts'
import { setRead } from '../data/inbox.ts'
import { instant, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { htmlText } from '../records/html.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './line.module.css'
import { t } from '../locales/text.ts'

const icons: { [category: string]: IconName } = {
  mention: 'at-sign',
  comment: 'reply',
  assignment: 'square-check',
  due: 'clock',
  overdue: 'circle-alert',
  signature: 'pencil',
  survey_response: 'smile',
  meeting: 'calendar',
  system: 'bell',
}

type Props = {
  notification: Notification
  isActive: boolean
  isOpen: boolean
  onOpen: () => void
}

/** One notification: what happened, the words of it, and when; unread ones have a dot. */
export function Line({ notification, isActive, isOpen, onOpen }: Props) {
  const format = useFormat()
  const { notification_id: id, title, description, read, category, notify_time: at } = notification
  return (
    <li className={styles.line} data-read={read} data-open={isOpen || undefined}>
      <button
        type="button"
        className={styles.open}
        data-notification={id}
        tabIndex={isActive ? 0 : -1}
        aria-current={isOpen || undefined}
        onClick={onOpen}
      >
        <span className={styles.dot}>
          {read ? null : <span role="img" aria-label={t('Unread')} />}
        </span>
        <Icon name={icons[category] ?? 'bell'} />
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          {description ? <span className={styles.text}>{htmlText(description)}</span> : null}
        </span>
        <time dateTime={at} title={instant(at, format)}>
          {relative(at, format)}
        </time>
      </button>
      <IconButton
        size="small"
        className={styles.mark}
        icon={read ? 'circle' : 'check'}
        label={read ? t('Mark as unread') : t('Mark as read')}
        shortcut={read ? 'u' : 'e'}
        onClick={() => void setRead(id, !read)}
      />
    </li>
  )
}
