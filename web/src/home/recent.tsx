import { Link } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { useAddressOf, useScreensOf } from '../records/screens.ts'
import { type Recent as Entry, readRecent } from '../shell/palette/recent.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './home.module.css'
import { Section } from './section.tsx'

const isRead = { isPending: false, error: null, refetch: () => undefined }

/** The records that the person looked at last in this browser. */
export function Recent() {
  const { user } = useSession()
  const all = readRecent(user.user_id).slice(0, 5)
  if (!all.length) return null
  return (
    <Section title="Recently opened" read={isRead}>
      <ul>
        {all.map((entry) => (
          <Line key={`${entry.module} ${entry.id}`} {...entry} />
        ))}
      </ul>
    </Section>
  )
}

function Line({ module, id, title }: Entry) {
  const screens = useScreensOf(module)
  const to = useAddressOf()(module, id)
  if (!screens || !to) return null
  return (
    <li className={styles.line}>
      <Icon name={screens.icon} />
      <span className={styles.words}>
        <Link to={to}>{title}</Link>
      </span>
    </li>
  )
}
