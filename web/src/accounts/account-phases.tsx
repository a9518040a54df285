import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import type { components } from '../api/schema.d.ts'
import { phasesQuery } from '../data/customer.ts'
import { t } from '../locales/text.ts'
import type { Format } from '../records/field/format.ts'
import { shortDay } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import styles from './account-phases.module.css'

type Phase = components['schemas']['AccountPhase']

const names: readonly (readonly [phase: Phase['phase'], name: string])[] = [
  ['lead', t('Lead')],
  ['won', t('Won')],
  ['onboarding', t('Onboarding')],
  ['live', t('Live')],
  ['renewal', t('Renewal')],
]

/** Where an account is between lead and renewal: the days of each phase beside what is usual. */
export function AccountPhases({ id }: { id: string }) {
  const format = useFormat()
  const { data, error, refetch } = useQuery(phasesQuery(id))
  if (error && !data) {
    return (
      <ReadFault small title={t('The phases could not be read')} error={error} onRetry={refetch} />
    )
  }
  return (
    <ol className={styles.phases} aria-label={t('Phases')} aria-busy={!data}>
      {names.map(([phase, name]) => {
        const found = data?.find((each) => each.phase === phase)
        const done = { '--done': `${100 * doneOf(found)}%` } as CSSProperties
        return (
          <li key={phase} style={done} aria-current={found?.state === 'now' ? 'step' : undefined}>
            <strong>{name}</strong> {found ? wordsOf(found, format) : ''}
          </li>
        )
      })}
    </ol>
  )
}

/** The part of a phase that is over; a half where nobody knows how long it takes. */
function doneOf(found: Phase | undefined): number {
  if (found?.state === 'past') return 1
  if (found?.state !== 'now') return 0
  const whole = found.planned_days ?? found.usual_days
  return whole ? Math.min(1, (found.days ?? 0) / whole) : 0.5
}

/** "17 of 31 days, usually 34 days", "from 15 Dec", or nothing where nothing is known. */
function wordsOf(
  { state, days, planned, planned_days, usual_days }: Phase,
  format: Format,
): string {
  if (state === 'skipped') return t('skipped')
  if (state === 'to_come') return planned ? t('from {day}', { day: shortDay(planned, format) }) : ''
  const count = days ?? 0
  const inDays = (number: number) => t('{count} day | {count} days', { count: number })
  const own =
    state === 'now' && planned_days
      ? t('{days} of {count} day | {days} of {count} days', { days: count, count: planned_days })
      : inDays(count)
  return usual_days === null ? own : `${own}, ${t('usually {days}', { days: inDays(usual_days) })}`
}
