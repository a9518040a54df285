import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ReadFault } from '../records/read-fault.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import styles from './home.module.css'

type Props = {
  title: string
  /** where all of it is */
  to?: string
  search?: object
  count?: number | null
  /** what the part shows: nothing until it is read, and why where it cannot be */
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
          <Link
            to={to}
            search={search as never}
            className={styles.all}
            aria-label={`${title}: show all`}
          >
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
