import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SkeletonRows } from '../ui/skeleton.tsx'
import styles from './home.module.css'

type Props = {
  title: string
  /** where all of it is */
  to?: string
  search?: object
  count?: number | null
  isPending?: boolean
  children: ReactNode
}

/** A part of Home: its title leads to the whole list. */
export function Section({ title, to, search, count, isPending, children }: Props) {
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
      {isPending ? <SkeletonRows count={3} /> : children}
    </section>
  )
}
