import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import { hueOfOption } from './hue.ts'
import { Icon } from './icons.tsx'
import css from './tag.module.css'

/** A word on its hue: `color` as hexadecimal, else by the word itself; `neutral` has none. */
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
    style: { '--hue': color ?? hueOfOption(children) } as CSSProperties,
  }
  // one element where one does: lists have hundreds of them
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
        aria-label={`Remove ${children}`}
        onClick={onRemove}
      >
        <Icon name="x" size={12} />
      </button>
    </span>
  )
}

/** Tags beside each other; with `line` on one line, cut at its end. */
export function Tags({ children, line = false }: { children: ReactNode; line?: boolean }) {
  return <span className={classes(css.tags, line && css.line)}>{children}</span>
}
