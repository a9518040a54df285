import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ReadFault } from '../records/read-fault.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import styles from './home.module.css'

type Props = {
  title: string
  /** the address of the whole list */
  to?: string
  search?: object
  count?: number | null
  /** the query whose data the part shows; nothing until it is loaded, or the error */
  read: { isPending: boolean; error: unknown; refetch: () => unknown }
  children: ReactNode
}

/** A part of Home: its title leads to the whole list. */
export function Section({ title, to, search, count, read, children }: Props) {
  return (
    <section className={styles.section}>
      <header>
        <h2>
          {title}
          {count ? <span className={styles.count}>{count}</span> : null}
        </h2>
        {to ? (
          <Link to={to} search={search} className={styles.all} aria-label={`${title}: show all`}>
            Show all
          </Link>
        ) : null}
      </header>
      {read.isPending ? (
        <SkeletonRows count={3} />
      ) : read.error ? (
        <ReadFault
          small
          title={`${title} could not be read`}
          error={read.error}
          onRetry={read.refetch}
        />
      ) : (
        children
      )}
    </section>
  )
}
