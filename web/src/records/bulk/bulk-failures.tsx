import type { BulkFailure } from '../../data/bulk.ts'
import { countOf } from '../../data/bulk.ts'
import type { Module } from '../../data/modules.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './bulk-bar.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  failures: BulkFailure[]
  titleOf: (id: string) => string | undefined
  onClose: () => void
}

/** The records that a bulk write did not change, each with its reason. */
export function BulkFailures({ module, failures, titleOf, onClose }: Props) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('{records} could not be changed', { records: countOf(module, failures.length) })}
      description={t('It stays as it was, and selected. | They stay as they were.', {
        count: failures.length,
      })}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      <ul className={styles.failures}>
        {failures.map(({ id, error }) => (
          <li key={id}>
            <strong>{titleOf(id) ?? id}</strong>
            <span>{error}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
