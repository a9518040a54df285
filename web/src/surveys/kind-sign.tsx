import type { IconName } from '../ui/icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { hueOf } from './kinds.ts'
import styles from './kind-sign.module.css'

const icons: { [type: string]: IconName } = {
  nps: 'target',
  csat: 'smile',
  ces: 'activity',
  ratings: 'star',
  'single-select': 'circle-dot',
  'multi-select': 'square-check',
  dropdown: 'chevron-down',
  ranking: 'list',
  consent: 'circle-check',
  'short-text': 'text',
  'long-text': 'file-text',
  email: 'mail',
  phone: 'phone',
  url: 'link',
  number: 'hash',
  date: 'calendar',
  time: 'clock',
  matrix: 'table',
  statement: 'info',
  'yes-no': 'thumbs-up',
  'rating-matrix': 'columns',
  contact: 'user',
  address: 'map-pin',
  signature: 'pencil',
  file: 'paperclip',
  calculated: 'hash',
}

/** The icon of a kind of question. */
export function iconOf(type: string): IconName {
  return icons[type] ?? 'text'
}

/** The sign of a kind, in its color. */
export function KindSign({ type }: { type: string }) {
  return (
    <span className={styles.kind} style={{ '--hue': `var(--hue-${hueOf(type)})` } as object}>
      <Icon name={iconOf(type)} size={14} />
    </span>
  )
}
