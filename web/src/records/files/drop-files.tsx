import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { Icon } from '../../ui/icons.tsx'
import styles from './drop-files.module.css'
import { useDroppedFiles } from './dropped.ts'
import { add } from './uploads.ts'

type Props = { module: Module; id: string; onDrop: () => void }

/** Accepts files dropped anywhere on a record's page. */
export function DropFiles({ module, id, onDrop }: Props) {
  const isOver = useDroppedFiles(useMay('documents', 'create'), (files) => {
    void add({ module: module.module, id }, files)
    onDrop()
  })
  if (!isOver) return null
  return (
    <div className={styles.over} aria-hidden="true">
      <Icon name="upload" size={24} />
      <span>Drop files to add them to this {module.word.one}</span>
    </div>
  )
}
