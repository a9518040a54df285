import { useState } from 'react'
import { useSession } from '../data/session.ts'
import { levelOf } from '../data/session.ts'
import { usePageTitle } from '../records/page-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AtRisk } from './at-risk.tsx'
import { FirstImport } from './first-import.tsx'
import styles from './home.module.css'
import { Meetings } from './meetings.tsx'
import { Mentions } from './mentions.tsx'
import { Milestones } from './milestones.tsx'
import { MyDeals } from './my-deals.tsx'
import { MyTasks } from './my-tasks.tsx'
import { Recent } from './recent.tsx'

/** The day's work: what waits for the person, and what is at risk. */
export default function Home() {
  const session = useSession()
  const mayRead = (module: string) => levelOf(session, module, 'read') !== 'none'
  const isStaff = !session.role.is_confined
  usePageTitle('Home')
  const [now] = useState(() => new Date())
  const [first = ''] = session.user.full_name.split(' ')
  return (
    <div className={styles.page}>
      <PageHeader title={`${greeting(now, session.user.timezone)}, ${first}`} />
      <FirstImport />
      <div className={styles.columns}>
        <div className={styles.column}>
          {mayRead('tasks') ? <MyTasks /> : null}
          {mayRead('calendar') ? <Meetings /> : null}
          {mayRead('projects') && isStaff ? <MyDeals /> : null}
        </div>
        <div className={styles.column}>
          <Mentions />
          {mayRead('accounts') && isStaff ? <AtRisk /> : null}
          {mayRead('projects') ? <Milestones /> : null}
          <Recent />
        </div>
      </div>
    </div>
  )
}

function greeting(now: Date, timeZone: string): string {
  const hour = Number(
    new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now),
  )
  if (hour >= 5 && hour < 12) return 'Good morning'
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening'
}
