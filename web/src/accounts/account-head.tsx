import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../data/health.ts'
import { idOf } from '../data/record.ts'
import { useIsExternal } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { day } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Strip } from '../records/page/strip.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { AccountPhases } from './account-phases.tsx'
import styles from './account-head.module.css'
import { t } from '../locales/text.ts'

/** The figures of an account, with how its health has changed, and its phases. */
export default function AccountHead({ module, record }: SectionProps) {
  const isExternal = useIsExternal()
  const id = idOf(module, record)
  return (
    <>
      <Strip
        {...{ module, record }}
        notes={isExternal ? {} : { health_score: <Trend id={id} /> }}
      />
      {isExternal ? null : <AccountPhases id={id} />}
    </>
  )
}

function Trend({ id }: { id: string }) {
  const format = useFormat()
  const { data: health, error } = useQuery(healthQuery(id))
  if (error && !health) return null
  if (!health) return <Skeleton width={180} height={16} />
  const { score, history, against, change } = health
  return (
    <span className={styles.trend}>
      <Sparkline
        points={history.map((point) => point.score)}
        label={t('Health of the last {days} days, from {first} to {last}', {
          days: history.length,
          first: history[0]?.score ?? score,
          last: score,
        })}
      />
      <span data-tone={change === null || change === 0 ? undefined : change < 0 ? 'bad' : 'good'}>
        {change === null || against === null
          ? t('No earlier score')
          : change === 0
            ? t('Same as on {day}', { day: day(against.date, format) })
            : t('{change} since {day}', {
                change: `${change > 0 ? '+' : '−'}${Math.abs(change)}`,
                day: day(against.date, format),
              })}
      </span>
    </span>
  )
}
