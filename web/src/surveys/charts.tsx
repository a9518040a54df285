import { number, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Progress } from '../ui/progress.tsx'
import type { Tone } from '../ui/status.tsx'
import { Status, toneColors } from '../ui/status.tsx'
import styles from './charts.module.css'

type Count = { label: string; count: number }

/** How often each number of a scale was chosen, as columns. */
export function Scale({ of }: { of: Count[] }) {
  const format = useFormat()
  const most = Math.max(1, ...of.map(({ count }) => count))
  return (
    <ol className={styles.line}>
      {of.map(({ label, count }) => (
        <li key={label} aria-label={`${label}: ${count}`} className={styles.number}>
          {number(count, format)}
          <span className={styles.column} style={{ height: `${2 + (56 * count) / most}px` }} />
          {label}
        </li>
      ))}
    </ol>
  )
}

/** How often each choice was made, as bars; several choices of one answer add up to more than `total`. */
export function Shares({ of, total }: { of: Count[]; total: number }) {
  const format = useFormat()
  return (
    <ul>
      {of.map(({ label, count }) => {
        const share = percent(Math.round((100 * count) / total), format)
        return (
          <li key={label} className={styles.share}>
            {label}
            <Progress
              value={count}
              max={total}
              label={label}
              text={`${number(count, format)} · ${share}`}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** The shares of a whole in one bar, in per cent, with a legend below it. */
export function Groups({ of }: { of: { label: string; tone: Tone; share: number }[] }) {
  const format = useFormat()
  return (
    <>
      <div className={styles.line} aria-hidden>
        {of.map(({ label, tone, share }) =>
          share ? (
            <span
              key={label}
              className={styles.column}
              style={{ background: toneColors[tone], flexGrow: share, height: 6 }}
            />
          ) : null,
        )}
      </div>
      <ul className={styles.line} style={{ columnGap: 16 }}>
        {of.map(({ label, tone, share }) => (
          <li key={label}>
            <Status tone={tone}>{`${label} ${percent(Math.round(share), format)}`}</Status>
          </li>
        ))}
      </ul>
    </>
  )
}
