import { Link } from '@tanstack/react-router'
import type { HomePart } from '../data/home.ts'
import type { Clause } from '../data/list.ts'
import { useScreensOf } from '../records/screens.ts'
import styles from './home.module.css'
import { inSentence, t } from '../locales/text.ts'

type Props = { list: NonNullable<HomePart['list']>; title: string; label: string }

/** The way to the list that has all rows of a part; mentions are in the inbox. */
export function AllLink({ list: { module, filter, sort }, title, label }: Props) {
  const screens = useScreensOf(module)
  const name = `${title}: ${inSentence(label)}`
  if (module === 'notifications') {
    return (
      <Link to="/inbox" search={{ show: 'mentions' }} className={styles.all}>
        {t('Inbox')}
      </Link>
    )
  }
  if (!screens) return null
  return (
    <Link
      to={screens.address}
      search={{ f: filter as Clause[], sort, as: 'table' } as never}
      className={styles.all}
      aria-label={name}
    >
      {label}
    </Link>
  )
}
