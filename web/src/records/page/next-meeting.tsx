import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nextMeetingQuery } from '../../data/meetings.ts'
import { idOf } from '../../data/record.ts'
import { useMay } from '../../data/session.ts'
import type { SectionProps } from '../definition.ts'
import { relative } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import styles from './next-meeting.module.css'
import { t } from '../../locales/text.ts'

/** The next meeting with a company, contact or account; nothing where none is planned. */
export default function NextMeeting(props: SectionProps) {
  const mayRead = useMay('calendar', 'read')
  return mayRead ? <Next {...props} /> : null
}

function Next({ module, record }: SectionProps) {
  const format = useFormat()
  const of =
    module.module === 'companies' || module.module === 'contacts' ? module.module : 'accounts'
  // a meeting that cannot be read is missed in the calendar, not here
  const { data: meeting } = useQuery(nextMeetingQuery(of, idOf(module, record)))
  if (!meeting) return null
  const { calendar_id: id, title, start, link, all_day } = meeting
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(format.locale, { timeZone: format.timezone, ...options }).format(
      new Date(start),
    )
  const when = all_day
    ? part({ weekday: 'long' })
    : part({ weekday: 'short', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  return (
    <section className={styles.next} aria-label={t('Next meeting')}>
      <h2>{t('Next meeting')}</h2>
      <div>
        <span className={styles.day} aria-hidden="true">
          <b>{part({ day: 'numeric' })}</b>
          {part({ month: 'short' })}
        </span>
        <span className={styles.words}>
          <Link to="/meetings/$id/{-$tab}" params={{ id }}>
            {title}
          </Link>
          <small>
            <time dateTime={start}>{`${when}, ${relative(start, format)}`}</time>
          </small>
        </span>
        {link && /^https?:/.test(link) ? (
          <ButtonLink
            size="small"
            href={link}
            target="_blank"
            rel="noreferrer noopener"
            aria-label={t('Join {title}', { title })}
          >
            {t('Join')}
          </ButtonLink>
        ) : null}
      </div>
    </section>
  )
}
