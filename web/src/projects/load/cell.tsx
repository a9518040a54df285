import type { CSSProperties } from 'react'
import type { LoadWeek } from '../../data/load.ts'
import { Hidden } from '../../ui/field.tsx'
import { fillOf, inHours } from './figures.ts'
import styles from './load.module.css'
import { awayWords } from './words.ts'
import { t } from '../../locales/text.ts'

/** Hours and fill of a week, with how many tasks have no estimate; `added` minutes are shown as if they were in it. */
export function LoadFigure({
  week,
  added = 0,
  isNamed = false,
}: {
  week: LoadWeek
  added?: number
  /** whether a name beside it says the same */
  isNamed?: boolean
}) {
  const shown = { ...week, planned: week.planned + added }
  const fill = fillOf(shown)
  const { capacity, planned, without_estimate: unknown } = shown
  const share = capacity ? Math.min(1, planned / capacity) : planned ? 1 : 0
  return (
    <>
      {unknown ? (
        <span className={styles.unknown} aria-hidden={isNamed || undefined}>
          +{unknown}
        </span>
      ) : null}
      {fill === 'away' ? (
        <span className={styles.away} aria-hidden={isNamed || undefined}>
          {awayWords(week.off_days)}
        </span>
      ) : (
        <span className={styles.hours} aria-hidden={isNamed || undefined}>
          <b>{inHours(planned)}</b> {t('/ {hours} h', { hours: inHours(capacity) })}
        </span>
      )}
      <i className={styles.bar} style={{ '--share': share } as CSSProperties} />
    </>
  )
}

type Props = {
  /** whose week it is, for what is dropped there */
  place: { user: string; at: number }
  name: string
  week: LoadWeek
  added: number | undefined
  isActive: boolean
  isOpen: boolean
  onFocus: () => void
  onOpen: () => void
}

/** The load of a person in a week, which opens the tasks that it is made of. */
export function LoadCell({ place, name, week, added, isActive, isOpen, onFocus, onOpen }: Props) {
  return (
    <td
      className={styles.cell}
      data-user={place.user}
      data-at={place.at}
      data-fill={fillOf({ ...week, planned: week.planned + (added ?? 0) })}
      data-previewed={added === undefined ? undefined : ''}
    >
      <button
        type="button"
        className={styles.figure}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
        onClick={onOpen}
      >
        <Hidden>{name}</Hidden>
        <LoadFigure week={week} added={added ?? 0} isNamed />
      </button>
    </td>
  )
}
