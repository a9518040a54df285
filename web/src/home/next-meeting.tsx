import type { Home, HomeRow } from '../data/home.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './home.module.css'
import type { RowActs } from './row.tsx'
import { MeetingPreparation } from './preparation.tsx'
import { Join } from './row.tsx'
import { dueOf } from './words.ts'
import { t } from '../locales/text.ts'

type Props = { row: HomeRow; home: Home; acts: RowActs }

/** The next meeting, which a phone shows first. */
export function NextMeeting({ row, home, acts }: Props) {
  const format = useFormat()
  const { record, due } = row
  const when = dueOf(row, home.today, format)
  const soon = due && due.length > 10 ? relative(due, format) : ''
  return (
    <section className={styles.next} aria-label={t('Next meeting')}>
      <div className={styles.meeting}>
        <Icon name="calendar" />
        <button type="button" onClick={() => acts.open(row)}>
          <b>{row.title}</b>
          <small>{[record?.name, when, soon].filter(Boolean).join(', ')}</small>
        </button>
        <Join row={row} />
      </div>
      {home.preparation?.meeting_id === row.id ? (
        <MeetingPreparation preparation={home.preparation} today={home.today} acts={acts} />
      ) : null}
    </section>
  )
}
