import type { ReactNode } from 'react'
import type { Module } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { Icon } from '../../ui/icons.tsx'
import styles from './drop-files.module.css'
import { useDroppedFiles } from './dropped.ts'
import { add } from './uploads.ts'
import { t } from '../../locales/text.ts'

type Props = { module: Module; id: string; onDrop: () => void }

/** Accepts files dropped anywhere on a record's page. */
export function DropFiles({ module, id, onDrop }: Props) {
  const isOver = useDroppedFiles(useMay('documents', 'create'), (files) => {
    void add({ module: module.module, id }, files)
    onDrop()
  })
  if (!isOver) return null
  return (
    <DropOverlay>{t('Drop files to add them to this {one}', { one: module.word.one })}</DropOverlay>
  )
}

/** Stands above the page while files are dragged over it, and says where they will go. */
export function DropOverlay({ children }: { children: ReactNode }) {
  return (
    <div className={styles.over} aria-hidden="true">
      <Icon name="upload" size={24} />
      <span>{children}</span>
    </div>
  )
}
