import { Skeleton } from '../ui/skeleton.tsx'
import styles from './page-skeleton.module.css'

/** The frame of a page while its content is on its way; it appears after a moment. */
export function PageSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <Skeleton width={180} height={20} />
      {Array.from({ length: 8 }, (_, at) => (
        <Skeleton key={at} height={14} />
      ))}
    </div>
  )
}
