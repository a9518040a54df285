import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import styles from './home.module.css'
import { Section } from './section.tsx'

type Notification = { notification_id: string; title: string; notify_time: string }

/** What the person has not read yet. */
export function Mentions() {
  const format = useFormat()
  const read = useQuery({
    queryKey: [...keys.notifications, 'home'],
    queryFn: async () =>
      (
        await request<Notification[]>('GET', '/api/notifyhub/notify-info/', {
          query: { page: 1, items_per_page: 4, read: false },
        })
      ).data,
  })
  const { data } = read
  if (data && !data.length) return null
  return (
    <Section title="Unread" to="/inbox" read={read}>
      <ul>
        {data?.map((each) => (
          <li key={each.notification_id} className={styles.line}>
            <span className={styles.words}>
              <Link to="/inbox">{each.title}</Link>
            </span>
            <time dateTime={each.notify_time} className={styles.due}>
              {relative(each.notify_time, format)}
            </time>
          </li>
        ))}
      </ul>
    </Section>
  )
}
