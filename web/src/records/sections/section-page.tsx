import type { ReactNode } from 'react'
import { usePageTitle } from '../page-title.ts'
import styles from './sections.module.css'

/** One section: its heading, a sentence on what it is for, its actions, and its parts. */
export function SectionPage({
  title,
  about,
  actions,
  wide,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** for tables, instead of the width for text */
  wide?: boolean
  children: ReactNode
}) {
  usePageTitle(title)
  return (
    <div className={styles.content} data-wide={wide || undefined}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 tabIndex={-1}>{title}</h1>
          {about ? <p>{about}</p> : null}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
