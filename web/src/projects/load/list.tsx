import type { LoadPerson } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { LoadFigure } from './cell.tsx'
import { fillOf } from './figures.ts'
import styles from './load.module.css'
import { t } from '../../locales/text.ts'

/** How many weeks a phone shows. */
const weeksShown = 4

/** The next weeks of each person, to be read on a phone. */
export function LoadList({ people, format }: { people: LoadPerson[]; format: Format }) {
  return (
    <section className={styles.list} tabIndex={0} aria-label={t('Load of people')}>
      <ul>
        {people.map(({ user, weeks }) => (
          <li key={user.user_id}>
            <span className={styles.person}>
              <Avatar name={user.full_name} size={24} />
              <span>
                <b>{user.full_name}</b>
                <small>{user.designation}</small>
              </span>
            </span>
            <ol>
              {weeks.slice(0, weeksShown).map((week) => (
                <li key={week.week} data-fill={fillOf(week)}>
                  <span>{shortDay(week.week, format)}</span>
                  <LoadFigure week={week} />
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </section>
  )
}
