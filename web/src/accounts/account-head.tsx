import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Health } from '../data/health.ts'
import { healthQuery } from '../data/health.ts'
import { idOf } from '../data/record.ts'
import type { SectionProps } from '../records/definition.ts'
import { day } from '../records/field/format.ts'
import { useIsExternal } from '../data/session.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { useAddressOf } from '../records/screens.ts'
import { Button } from '../ui/button.tsx'
import { Score } from '../ui/score.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import styles from './account-head.module.css'
import { changeWords, inputWords } from '../data/health-words.ts'

/** The health of an account: its score, its history, and what lowers it. */
export default function AccountHead(props: SectionProps) {
  return useIsExternal() ? null : <HealthHead {...props} />
}

function HealthHead({ module, record }: SectionProps) {
  const format = useFormat()
  const { data: health, error, refetch } = useQuery(healthQuery(idOf(module, record)))
  const [isOpen, setOpen] = useState(false)
  if (error && !health) {
    return <ReadFault small title="The health could not be read" error={error} onRetry={refetch} />
  }
  if (!health) {
    return (
      // in two lines on a phone, as what is loading
      <div className={styles.line}>
        <Skeleton width={220} height={28} />
        <Skeleton width={300} height="max(34px, var(--target))" />
      </div>
    )
  }
  const { score, history, against, change, reasons } = health
  return (
    <section className={styles.head} aria-label="Health">
      <div className={styles.line}>
        <Score value={score} />
        <Sparkline
          points={history.map((point) => point.score)}
          label={`Health of the last ${history.length} days, from ${history[0]?.score ?? score} to ${score}`}
        />
        <span className={styles.change} data-way={change === null ? 0 : Math.sign(change)}>
          {change === null || against === null
            ? 'No earlier score'
            : change === 0
              ? `Same as on ${day(against.date, format)}`
              : `${change > 0 ? '+' : '−'}${Math.abs(change)} since ${day(against.date, format)}`}
        </span>
        {reasons.length || health.changes.length ? (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isOpen}
            iconAfter={isOpen ? 'chevron-up' : 'chevron-down'}
            onClick={() => setOpen(!isOpen)}
          >
            {change !== null && change < 0 ? 'Why did it drop?' : 'What it consists of'}
          </Button>
        ) : null}
      </div>
      {isOpen ? <Reasons health={health} /> : null}
    </section>
  )
}

function Reasons({ health }: { health: Health }) {
  const addressOf = useAddressOf()
  const taking = health.inputs
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
  const changed = new Map(health.changes.map((each) => [each.input, each]))
  return (
    <div className={styles.reasons}>
      {health.is_set ? <p>The score was set by hand.</p> : null}
      {taking.length ? null : <p>Nothing lowers the score.</p>}
      <ul>
        {taking.map((input) => {
          const change = changed.get(input.input)
          // several answers may belong to the same record
          const links = new Map(input.links.map((link) => [link.id, link]))
          return (
            <li key={input.input}>
              <span className={styles.points}>−{Math.round(input.points)}</span>
              <span className={styles.words}>
                <span>
                  {inputWords(input)}
                  {change ? <small> {changeWords(change)}</small> : null}
                </span>
                <small className={styles.links}>
                  {[...links.values()].slice(0, 5).map(({ id, name, type }) => {
                    const address = addressOf(`${type}s`, id)
                    return address ? (
                      <Link key={id} to={address}>
                        {name}
                      </Link>
                    ) : (
                      <span key={id}>{name}</span>
                    )
                  })}
                </small>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
