import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressIn } from '../records/definition.ts'
import styles from './insight.module.css'
import { t } from '../locales/text.ts'

/** Where the pages of meetings are. */
export const meeting = { address: '/meetings' }

/** Seconds as a clock shows them: 18:02, 1:02:03. */
export function clock(seconds: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  const rest = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest}`
}

/** The time of a sentence, which opens the transcript there. */
export function At({ id, seconds }: { id: string; seconds: number | null }): ReactNode {
  if (seconds === null) return null
  return (
    <Link
      className={styles.at}
      to={addressIn(meeting, id, 'transcript')}
      hash={`said-${seconds}`}
      aria-label={t('Open the transcript at {time}', { time: clock(seconds) })}
    >
      {clock(seconds)}
    </Link>
  )
}
