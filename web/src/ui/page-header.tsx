import { useEffect, useRef, type ReactNode } from 'react'
import { useLocale } from './locale.ts'
import css from './toolbar.module.css'

/** The heading bar of a page: its `h1`, a count, actions at the right. */
export function PageHeader({
  title,
  count,
  note,
  before,
  actions,
  focusKey,
}: {
  title: ReactNode
  count?: number | null
  /** What the page amounts to, in a few words. */
  note?: ReactNode
  /** The part before the title: the breadcrumbs' parents, the navigation's button on a phone. */
  before?: ReactNode
  actions?: ReactNode
  /** When it changes, as the page's address does, the heading takes the focus. */
  focusKey?: string
}) {
  const locale = useLocale()
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(focusKey)
  useEffect(() => {
    if (first.current === focusKey) return
    first.current = focusKey
    heading.current?.focus({ preventScroll: true })
  }, [focusKey])
  return (
    <header className={css.header}>
      {before}
      <h1
        ref={heading}
        tabIndex={-1}
        className={css.title}
        title={typeof title === 'string' ? title : undefined}
      >
        {title}
      </h1>
      {count !== undefined && count !== null && (
        <span className={css.count}>{count.toLocaleString(locale)}</span>
      )}
      {note && <span className={css.note}>{note}</span>}
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  )
}
