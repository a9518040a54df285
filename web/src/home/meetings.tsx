import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import { useSession } from '../data/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import styles from './home.module.css'
import { Section } from './section.tsx'

type Meeting = {
  calendar_id: string
  title: string
  start: string
  end: string
  link: string | null
}

/** The next meetings, in the person's time zone. */
export function Meetings() {
  const { user } = useSession()
  const read = useQuery({
    queryKey: keys.list('calendar', { home: true }),
    queryFn: async () =>
      (
        await request<Meeting[]>('GET', '/api/calendar/info/', {
          query: {
            page: 1,
            items_per_page: 5,
            sort: 'start',
            filter: JSON.stringify([{ field: 'start', operator: 'future' }]),
          },
        })
      ).data,
  })
  const { data } = read
  const when = new Intl.DateTimeFormat(user.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: user.timezone,
    timeZoneName: 'short',
  })
  return (
    <Section title="Next meetings" to="/meetings" read={read}>
      {data?.length ? (
        <ul>
          {data.map((meeting) => (
            <li key={meeting.calendar_id} className={styles.line}>
              <span className={styles.words}>
                <Link to="/meetings/$id/{-$tab}" params={{ id: meeting.calendar_id }}>
                  {meeting.title}
                </Link>
                <small>
                  <time dateTime={meeting.start}>{when.format(new Date(meeting.start))}</time>
                </small>
              </span>
              {meeting.link && /^https?:/.test(meeting.link) ? (
                <ButtonLink
                  size="small"
                  href={meeting.link}
                  target="_blank"
                  rel="noreferrer noopener"
                >
                  Join
                </ButtonLink>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.none}>No meetings are planned.</p>
      )}
    </Section>
  )
}
