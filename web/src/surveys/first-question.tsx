import { Icon } from '../ui/icons.tsx'
import { scaleOf } from '../records/answers/scale.ts'
import styles from './gallery.module.css'

type Drawn = {
  type?: string
  label?: string
  maxRating?: number
  options?: { label: string }[] | null
}

/** How the first question of a survey looks, drawn small. */
export function FirstQuestion({ question }: { question: Drawn | undefined }) {
  if (!question) return <Icon name="plus" size={24} />
  const { type = '', label, options, maxRating } = question
  const steps = scaleOf(type, { maxRating })
  return (
    <span className={styles.drawn}>
      <strong>{label}</strong>
      {type === 'ratings' ? (
        <span>
          {steps?.map((step) => (
            <Icon key={step} name="star" size={14} />
          ))}
        </span>
      ) : steps ? (
        <span>
          {steps.map((step) => (
            <i key={step}>{step}</i>
          ))}
        </span>
      ) : options?.length ? (
        <span data-kind="choices">
          {options.slice(0, 3).map((each) => (
            <small key={each.label}>{each.label}</small>
          ))}
        </span>
      ) : (
        <span data-kind="lines">
          <b />
          <b />
        </span>
      )}
    </span>
  )
}
