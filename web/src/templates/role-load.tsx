import type { CSSProperties } from 'react'
import type { TemplateUse } from '../data/templates.ts'
import { percent as inPercent, shortDay } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Hidden } from '../ui/field.tsx'
import styles from './templates.module.css'
import { t } from '../locales/text.ts'

type Props = { load: NonNullable<TemplateUse['roles'][number]['load']>; isOld: boolean }

/** How full the fullest week of a person would be. */
export function RoleLoad({ load: { week, planned, capacity, percent }, isOld }: Props) {
  const format = useFormat()
  const inHours = (minutes: number) => Math.round(minutes / 60)
  const words = t('{planned} of {capacity} h in the week of {day}', {
    planned: inHours(planned),
    capacity: inHours(capacity),
    day: shortDay(week, format),
  })
  return (
    <span
      className={styles.load}
      title={words}
      data-over={planned > capacity || undefined}
      data-old={isOld || undefined}
    >
      <i style={{ '--share': Math.min(1, percent / 100) } as CSSProperties} />
      {inPercent(percent, format)}
      <Hidden>, {words}</Hidden>
    </span>
  )
}
