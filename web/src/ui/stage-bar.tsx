import type { CSSProperties } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { Icon } from './icons.tsx'
import css from './stage-bar.module.css'
import { tip } from './tooltip.tsx'

export type Stage = {
  value: string
  label: string
  tone: 'open' | 'won' | 'lost'
  color?: string | null
  hint?: string
}

/**
 * The stages of a pipeline in a line: passed ones are filled, the current one is marked. Without
 * `onChange` it is read-only.
 */
export function StageBar({
  label,
  stages,
  value,
  onChange,
}: {
  label: string
  stages: Stage[]
  value: string | null
  onChange?: (value: string) => void
}) {
  const at = stages.findIndex((stage) => stage.value === value)
  const isOver = stages[at] !== undefined && stages[at].tone !== 'open'
  const bar = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    // if it scrolls, the current stage is visible with the end of the one before
    const now = bar.current?.querySelector<HTMLElement>('[data-now]')
    if (bar.current && now) bar.current.scrollLeft = now.offsetLeft - bar.current.offsetLeft - 40
  }, [value, stages.length])
  return (
    <ol ref={bar} className={css.bar} aria-label={label}>
      {stages.map((stage, place) => (
        <li
          key={stage.value}
          className={css.stage}
          data-passed={(stage.tone === 'open' && (place < at || isOver)) || undefined}
          data-now={place === at || undefined}
          data-tone={stage.tone}
          style={{ '--hue': stage.color ?? 'var(--accent)' } as CSSProperties}
        >
          <button
            type="button"
            disabled={!onChange}
            aria-current={place === at ? 'step' : undefined}
            onClick={() => onChange?.(stage.value)}
            {...(stage.hint ? tip(stage.hint) : {})}
          >
            {place === at && stage.tone !== 'open' ? (
              <Icon name={stage.tone === 'won' ? 'trophy' : 'circle-x'} size={14} />
            ) : null}
            <span>{stage.label}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
