import { useState } from 'react'
import type { components } from '../../api/schema.d.ts'
import { signed } from '../../data/health-words.ts'
import { number, percent, shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Upright } from '../../ui/chart/upright.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from '../results.module.css'
import { t } from '../../locales/text.ts'

type Period = components['schemas']['SurveyNpsOfPeriod']
const units = ['day', 'week', 'month'] as const
type Unit = (typeof units)[number]

type Props = { of: Period[]; unit: string; onUnit: (unit: string) => void }

/** The groups of the net promoter score by day, week or month, stacked to a hundred, with the score of each. */
export default function NpsTrend({ of, unit, onUnit }: Props) {
  const format = useFormat()
  const [isTable, setTable] = useState(false)
  const toggle = () => setTable(!isTable)
  const words = { day: t('Day'), week: t('Week'), month: t('Month') }
  const current = units.find((each) => each === unit) ?? 'month'
  const label = t('Net promoter score over time')
  const points = of.map(({ date, promoters, passives, detractors, nps, nps_low, nps_high }) => {
    const total = promoters + passives + detractors || 1
    const values = [promoters, passives, detractors].map((count) => ({
      value: (100 * count) / total,
      text: `${percent(Math.round((100 * count) / total), format)} (${number(count, format)})`,
    }))
    return {
      label: dateOf(date, current),
      values,
      note: [
        t('score {score}', { score: signed(nps) }),
        nps_low === undefined || nps_high === undefined
          ? null
          : t('likely {low} to {high}', { low: signed(nps_low), high: signed(nps_high) }),
      ]
        .filter(Boolean)
        .join(', '),
    }
  })
  return (
    <section className={styles.question}>
      <div className={styles.titled}>
        <h2>{label}</h2>
        <SegmentedControl<Unit>
          label={t('By')}
          value={current}
          options={units.map((value) => ({ value, label: words[value] }))}
          onChange={onUnit}
        />
      </div>
      <div className={styles.chart}>
        <Upright
          as="stacked"
          label={label}
          finding={of.length > 1 ? findingOf(of) : ''}
          isTable={isTable}
          onTable={toggle}
          head={words[current]}
          series={[
            { name: t('Promoters'), color: 'var(--d1)' },
            { name: t('Passives'), color: 'var(--d0)' },
            { name: t('Detractors'), color: 'var(--d5)' },
          ]}
          points={points}
        />
        <IconButton
          label={
            isTable
              ? t('{label}: show as chart', { label })
              : t('{label}: show as table', { label })
          }
          icon={isTable ? 'chart' : 'table'}
          size="small"
          onClick={toggle}
        />
      </div>
    </section>
  )

  function dateOf(date: string, of: Unit) {
    if (of !== 'month') return shortDay(date, format)
    const [year, month] = date.split('-').map(Number)
    return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1)).toLocaleDateString(format.locale, {
      month: 'short',
      year: '2-digit',
      timeZone: 'UTC',
    })
  }
}

function findingOf(of: Period[]): string {
  return t('From {first} to {last}', {
    first: signed(of[0]?.nps ?? 0),
    last: signed(of.at(-1)?.nps ?? 0),
  })
}
