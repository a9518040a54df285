import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './rows-skeleton.module.css'

/** The frame of a table while its rows are on their way. */
export function RowsSkeleton({ columns }: { columns: number }) {
  return (
    <div className={styles.rows} aria-busy="true">
      {Array.from({ length: 14 }, (_row, row) => (
        <div key={row} className={styles.row}>
          {Array.from({ length: Math.min(columns, 6) }, (_column, column) => (
            <Skeleton key={column} height="12px" width={column ? '60%' : '80%'} />
          ))}
        </div>
      ))}
    </div>
  )
}
