import type { CSSProperties } from 'react'
import { useMemo } from 'react'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { PortfolioRow } from '../../data/portfolio.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import type { Range, Scale } from '../timeline/scale.ts'
import { marksOf, pixels } from '../timeline/scale.ts'
import styles from './portfolio.module.css'
import { goLiveOf } from './rows.ts'
import { t } from '../../locales/text.ts'

type Props = {
  projects: PortfolioRow[]
  range: Range
  scale: Scale
  format: Format
  today: string
}

/** The months, with how many projects go live in each. */
export function PortfolioHead({ projects, range, scale, format, today }: Props) {
  const px = pixels[scale]
  const { months } = useMemo(() => marksOf(range, scale, format), [range, scale, format])
  const days = projects.flatMap((project) => {
    const day = goLiveOf(project)
    return day ? dayNumber(day) : []
  })
  const x = (day: number) => ({ '--x': (day - range.from) * px }) as CSSProperties
  return (
    <div role="row" className={styles.head} aria-rowindex={1}>
      <div role="columnheader" className={styles.corner}>
        <span>{t('Project')}</span>
        <span>{t('Agreed go-live')}</span>
      </div>
      <div role="columnheader" aria-label={t('Months')} className={styles.times}>
        {months.map(({ day, days: length, label }) => {
          const count = days.filter((each) => each >= day && each < day + length).length
          return (
            <span key={day} className={styles.month} style={x(day)}>
              {length * px > 30 ? label : ''}
              <small>{count ? t('{count} goes live | {count} go live', { count }) : ''}</small>
            </span>
          )
        })}
        <span className={styles.now} style={x(dayNumber(today) + 0.5)}>
          {shortDay(today, format)}
        </span>
      </div>
    </div>
  )
}
