import type { PlanMilestone } from '../data/project-plan.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Hidden } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './plan.module.css'
import { t } from '../locales/text.ts'

/** What customers said of a completed milestone, on average; its words are in the timeline. */
export function Rated({ rating }: { rating: PlanMilestone['rating'] }) {
  const { locale } = useFormat()
  if (!rating) return null
  const average = rating.average.toLocaleString(locale, { maximumFractionDigits: 1 })
  const text = t(
    'Rated {average} of 5 by {count} person | Rated {average} of 5 by {count} people',
    {
      average,
      count: rating.count,
    },
  )
  return (
    <span className={styles.rated} title={text}>
      <Icon name="smile" size={14} />
      <span aria-hidden="true">{average}</span>
      <Hidden>{text}</Hidden>
    </span>
  )
}
