import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../api/request.ts'
import { titlesQuery } from '../data/inbox.ts'
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
}

const projects = {
  module: 'projects',
  path: '/api/project/info/',
  key: 'project_id',
  title_field: 'project_name',
}

/** The overdue milestones. */
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
  const names = useProjectNames(data ?? [])
  if (data && !data.length) return null
  return (
    <Section title="Overdue milestones" read={read}>
      <ul>
        {data?.map((milestone) => (
          <li key={milestone.milestone_id} className={styles.line}>
            <span className={styles.words}>
              <Link to="/projects/$id/{-$tab}" params={{ id: milestone.project_id }}>
                {milestone.name}
              </Link>
              <small>{names[milestone.project_id] ?? '\u00a0'}</small>
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

/** The names of the milestones' projects, in one request. */
function useProjectNames(milestones: Milestone[]): { [id: string]: string } {
  const ids = [...new Set(milestones.map(({ project_id: id }) => id))].toSorted()
  const { data = {} } = useQuery({ ...titlesQuery(projects, ids), enabled: ids.length > 0 })
  return data
}
