import { fillOf, inHours } from './figures.ts'
import styles from './load.module.css'
import { addedBy, placeOf } from './moved.ts'
import type { ChoiceProps } from './takers.tsx'
import { previewOf } from './takers.tsx'
import { awayWords, weekOf } from './words.ts'
import { t } from '../../locales/text.ts'

/** To which week a task could go, each as it would be then. */
export function LoadWeeks({ load, person, at, task, format, onPreview, onMove }: ChoiceProps) {
  const next = at + 1 < person.weeks.length ? at + 1 : at - 1
  return (
    <div className={styles.takers}>
      <p>{t('Move “{title}” to the week of', { title: task.title })}</p>
      <ul>
        {person.weeks.map((week, to) => {
          if (to === at) return null
          const moved = { task, from: person, to: person, weeks: to - at }
          const added = addedBy(load, moved).get(placeOf(person.user.user_id, to)) ?? 0
          const then = { ...week, planned: week.planned + added }
          return (
            <li key={week.week}>
              <button
                type="button"
                className={styles.taker}
                autoFocus={to === next}
                {...previewOf(moved, onPreview)}
                onClick={() => onMove(moved)}
              >
                <b className={styles.task}>{weekOf(week.week, format)}</b>
                <span data-fill={fillOf(then)}>
                  {week.capacity || week.planned
                    ? t('{before} → {after} of {capacity} h', {
                        before: inHours(week.planned),
                        after: inHours(then.planned),
                        capacity: inHours(week.capacity),
                      })
                    : awayWords(week.off_days)}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
