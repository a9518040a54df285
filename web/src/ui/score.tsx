import type { CSSProperties } from 'react'
import css from './progress.module.css'
import { t } from '../locales/text.ts'

/** The bands of a score: good, to watch, at risk. */
export type Band = 'good' | 'fair' | 'poor'

const colors: Record<Band, string> = {
  good: 'var(--accent)',
  fair: 'var(--warn)',
  poor: 'var(--bad)',
}
const words: Record<Band, string> = { good: t('Healthy'), fair: t('Watch'), poor: t('At risk') }

/** A health score with its band as a bar; the band's label means the same as the color. */
export function Score({
  value,
  max = 100,
  band = bandOf(value, max),
  word = words[band],
  hideWord = false,
}: {
  value: number | null
  max?: number
  band?: Band
  word?: string
  hideWord?: boolean
}) {
  if (value === null) return <span className={css.text}>{t('No score')}</span>
  return (
    <span className={css.score} style={{ '--hue': colors[band] } as CSSProperties}>
      <span className={css.number}>{Math.round(value)}</span>
      <span className={css.band}>
        <span
          className={css.track}
          style={{ display: 'block' }}
          role="img"
          aria-label={t('{score} of {max}, {word}', { score: Math.round(value), max, word })}
        >
          <span
            className={css.fill}
            style={{
              display: 'block',
              width: `${Math.min(100, Math.max(0, (value / max) * 100))}%`,
            }}
          />
        </span>
      </span>
      {!hideWord && <span className={css.word}>{word}</span>}
    </span>
  )
}

function bandOf(value: number | null, max: number): Band {
  const share = (value ?? 0) / max
  return share >= 0.7 ? 'good' : share >= 0.4 ? 'fair' : 'poor'
}
