import { Link } from '@tanstack/react-router'
import type { ShownMilestone } from '../data/calendar.ts'
import { addressIn } from '../records/definition.ts'
import { classes } from '../ui/classes.ts'
import styles from './calendar.module.css'
import { t } from '../locales/text.ts'

/** A milestone on the day on which it is due; it opens its project. */
export function MilestoneLine({ milestone }: { milestone: ShownMilestone }) {
  const { name, project, isDone } = milestone
  return (
    <Link
      to={addressIn({ address: '/projects' }, project)}
      className={classes(styles.milestone, isDone && styles.done)}
      aria-label={t('Milestone {name}', { name })}
    >
      <span aria-hidden>◆</span> {name}
    </Link>
  )
}
