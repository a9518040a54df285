import type { CSSProperties } from 'react'
import { useMemo } from 'react'
import type { WorkDays } from '../../../../server/src/schedule/workdays.ts'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { Arrows, Box } from './arrows.ts'
import type { Range, Scale } from './scale.ts'
import { marksOf, offDaysOf, pixels } from './scale.ts'
import styles from './timeline.module.css'
import type { Drag } from './use-drag.ts'
import type { View } from './use-view.ts'
import { t } from '../../locales/text.ts'

/** The height of the months and days above the rows, in pixels. */
const headHeight = 44

type HeadProps = {
  scale: Scale
  range: Range
  format: Format
  view: View
  left: number
  today: string
}

/** The months, and the weeks or days below them. */
export function Head({ scale, range, format, view, left, today }: HeadProps) {
  const px = pixels[scale]
  const { months, ticks } = useMemo(() => marksOf(range, scale, format), [range, scale, format])
  const from = range.from + view.left / px - 8
  const to = range.from + (view.left + view.width - left) / px + 8
  const isSeen = ({ day, days }: { day: number; days: number }) => day + days > from && day < to
  /** whether what is seen of a month has room for its name */
  const hasRoom = ({ day, days }: { day: number; days: number }) =>
    (day + days - range.from) * px - Math.max(view.left, (day - range.from) * px) >
    (scale === 'quarter' ? 40 : 110)
  const x = (day: number) => ({ '--x': (day - range.from) * px }) as CSSProperties
  return (
    <div role="row" className={styles.head} aria-rowindex={1}>
      <div role="columnheader" className={styles.corner}>
        {t('Title')}
      </div>
      <div role="columnheader" aria-label={t('Days')} className={styles.times}>
        {months
          .filter(isSeen)
          .filter(hasRoom)
          .map(({ day, label }) => (
            // the month of the first day that is seen stays in sight
            <span
              key={day}
              className={styles.month}
              style={x(Math.max(day, range.from + (view.left ? view.left + 20 : 0) / px))}
            >
              {label}
            </span>
          ))}
        {ticks.filter(isSeen).map(({ day, label }) => (
          <span key={day} className={styles.tick} style={x(day)}>
            {label}
          </span>
        ))}
        <span className={styles.now} style={x(dayNumber(today) + 0.5)}>
          {shortDay(today, format)}
        </span>
      </div>
    </div>
  )
}

type CalendarProps = {
  range: Range
  scale: Scale
  view: View
  workdays: WorkDays
  names: { [day: string]: string }
  today: string
  xOf: (day: number) => number
}

/** Days off, and today. */
export function Calendar({ range, scale, view, workdays, names, today, xOf }: CalendarProps) {
  const px = pixels[scale]
  const from = Math.max(range.from, Math.floor(range.from + view.left / px) - 14)
  const to = Math.min(range.to, Math.ceil(range.from + (view.left + view.width) / px) + 14)
  const off = useMemo(
    () => offDaysOf({ from, to }, workdays, names).filter(({ holiday }) => px >= 5 || holiday),
    [from, to, workdays, names, px],
  )
  const at = (x: number, w: number) => ({ '--x': x, '--w': w }) as CSSProperties
  return (
    <div aria-hidden="true">
      {off.map(({ day, days, holiday }) => (
        <span
          key={day}
          className={styles.off}
          data-holiday={holiday ?? undefined}
          style={at(xOf(day), days * px)}
          {...(holiday ? tip(holiday) : {})}
        />
      ))}
      <span className={styles.today} style={at(xOf(dayNumber(today) + 0.5), 1.5)} />
    </div>
  )
}

/** The arrows between bars, and the one that is being drawn. */
export function ArrowLines({
  arrows,
  drag,
  boxOf,
}: {
  arrows: Arrows
  drag: Drag | undefined
  boxOf: (id: string) => Box | undefined
}) {
  const from = drag?.kind === 'link' ? boxOf(drag.id) : undefined
  return (
    <svg className={styles.arrows} width="1" height="1" aria-hidden="true">
      {(['plain', 'critical', 'broken', 'near'] as const).map((style) => (
        <g key={style} data-style={style}>
          <path d={arrows[style].lines} />
          <path d={arrows[style].heads} />
        </g>
      ))}
      {drag?.kind === 'link' && from ? (
        <g data-style="near">
          <path
            d={`M${drag.end === 'end' ? from.end : from.x} ${from.y}L${drag.x} ${drag.y - headHeight}`}
          />
        </g>
      ) : null}
    </svg>
  )
}
