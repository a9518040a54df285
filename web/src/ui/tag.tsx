import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import { hueOf } from './hue.ts'
import { Icon } from './icons.tsx'
import css from './tag.module.css'
import { tip } from './tooltip.tsx'
import { t } from '../locales/text.ts'

/** A label on a hue: `color` as hexadecimal, else by the label itself; `neutral` has none. */
export function Tag({
  children,
  color,
  neutral = false,
  onRemove,
}: {
  children: string
  color?: string | null
  neutral?: boolean
  onRemove?: () => void
}) {
  const look = {
    className: classes(css.tag, neutral && css.neutral, !onRemove && css.text),
    style: { '--hue': color ?? hueOf(children) } as CSSProperties,
  }
  // one element if possible, because lists have hundreds of them
  if (!onRemove) {
    return (
      <span {...look} title={children}>
        {children}
      </span>
    )
  }
  return (
    <span {...look}>
      <span className={css.text} title={children}>
        {children}
      </span>
      <button
        type="button"
        className={css.remove}
        aria-label={t('Remove {label}', { label: children })}
        onClick={onRemove}
      >
        <Icon name="x" size={12} />
      </button>
    </span>
  )
}

/** Tags side by side, in as many lines as they need. */
export function Tags({ children }: { children: ReactNode }) {
  return <span className={css.tags}>{children}</span>
}

/** Tags on one line: the first ones, and a count of the others, whose names are shown on hover. */
export function TagLine({
  tags,
  limit = 2,
}: {
  tags: { label: string; color?: string | null }[]
  limit?: number
}) {
  const others = tags
    .slice(limit)
    .map(({ label }) => label)
    .join(', ')
  return (
    <span className={classes(css.tags, css.line)}>
      {tags.slice(0, limit).map(({ label, color }) => (
        <Tag key={label} color={color ?? null}>
          {label}
        </Tag>
      ))}
      {others ? (
        <span className={css.more} role="img" aria-label={others} {...tip(others)}>
          +{tags.length - limit}
        </span>
      ) : null}
    </span>
  )
}
