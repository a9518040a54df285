import { number, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import styles from './charts.module.css'

type Count = { label: string; count: number }

/** How often each number of a scale was chosen, as columns. */
export function Scale({ of }: { of: Count[] }) {
  const format = useFormat()
  const most = Math.max(1, ...of.map(({ count }) => count))
  return (
    <ol className={styles.scale}>
      {of.map(({ label, count }) => (
        <li key={label} aria-label={`${label}: ${count}`}>
          <span data-none={count ? undefined : true}>{number(count, format)}</span>
          <span className={styles.column} style={{ height: `${(56 * count) / most}px` }} />
          <span className={styles.label}>{label}</span>
        </li>
      ))}
    </ol>
  )
}

/** How often each choice was made, as bars; several choices of one answer add up to more than all. */
export function Shares({ of, total }: { of: Count[]; total: number }) {
  const format = useFormat()
  return (
    <ul className={styles.shares}>
      {of.map(({ label, count }) => {
        const share = total ? Math.round((100 * count) / total) : 0
        return (
          <li key={label}>
            <span className={styles.choice}>{label}</span>
            <span className={styles.track} aria-hidden>
              <span style={{ width: `${Math.min(100, share)}%` }} />
            </span>
            <span className={styles.count}>
              {number(count, format)} <small>{percent(share, format)}</small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The shares of a whole in one bar, with a legend below it. Shares are in per cent. */
export function Groups({
  of,
}: {
  of: { label: string; tone: 'good' | 'quiet' | 'bad'; share: number }[]
}) {
  const format = useFormat()
  return (
    <div className={styles.groups}>
      <div className={styles.whole} aria-hidden>
        {of.map(({ label, tone, share }) =>
          share ? <span key={label} data-tone={tone} style={{ flexGrow: share }} /> : null,
        )}
      </div>
      <ul>
        {of.map(({ label, tone, share }) => (
          <li key={label} data-tone={tone}>
            {label} <strong>{percent(Math.round(share), format)}</strong>
          </li>
        ))}
      </ul>
    </div>
  )
}
