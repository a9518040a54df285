import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { useSession } from '../data/session.ts'
import { day, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import styles from './home.module.css'
import { Section } from './section.tsx'

type Milestone = {
  milestone_id: string
  name: string
  due_date: string | null
  project_id: string
  project_name?: string | null
}

/** The milestones whose day has passed. */
export function Milestones() {
  const { user } = useSession()
  const format = useFormat()
  const now = today(user.timezone)
  const read = useQuery({
    queryKey: ['milestones', 'list', { home: now }],
    queryFn: async () =>
      (
        await request<Milestone[]>('GET', '/api/milestones/', {
          query: { page: 1, items_per_page: 5, due_filter: 'overdue' },
        })
      ).data,
  })
  const { data } = read
  if (data && !data.length) return null
  return (
    <Section title="Overdue milestones" read={read}>
      <ul>
        {data?.map((milestone) => (
          <li key={milestone.milestone_id} className={styles.line}>
            <span className={styles.words}>
              <Link to={`/projects/${milestone.project_id}`}>{milestone.name}</Link>
              {milestone.project_name ? <small>{milestone.project_name}</small> : null}
            </span>
            {milestone.due_date ? (
              <time dateTime={milestone.due_date} className={styles.late}>
                {day(milestone.due_date, format)}
              </time>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}
