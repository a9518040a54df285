import { Button } from '../ui/button.tsx'
import styles from './home.module.css'
import { t } from '../locales/text.ts'

/** Stands in place of the rows of a part that could not be read; the others are there. */
export function PartFault({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <p className={styles.fault} role="alert">
      {t('{title} could not be read.', { title })}
      <Button size="small" variant="quiet" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </p>
  )
}
