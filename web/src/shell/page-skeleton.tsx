import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useOnline } from './online.ts'
import styles from './page-skeleton.module.css'
import { t } from '../locales/text.ts'

/** The frame of a page while its content is loading; it appears after a moment. Offline it says what it waits for. */
export function PageSkeleton() {
  const isOnline = useOnline()
  if (!isOnline) {
    return (
      <Empty icon="wifi-off" title={t('This page is waiting for the network')}>
        {t('It was not opened before, and appears as soon as you are back online.')}
      </Empty>
    )
  }
  return (
    <div className={styles.page} aria-busy="true">
      <Skeleton width={180} height={20} />
      {Array.from({ length: 8 }, (_, at) => (
        <Skeleton key={at} height={14} />
      ))}
    </div>
  )
}
