import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { DropOverlay } from '../../records/files/drop-files.tsx'
import { useDroppedFiles } from '../../records/files/dropped.ts'
import { add } from '../../records/files/uploads.ts'
import { useListSearch } from '../../records/use-list.ts'
import { placeIn } from '../folders/folder.ts'
import type { Begun } from './upload-dialog.tsx'
import UploadDialog from './upload-dialog.tsx'
import { t } from '../../locales/text.ts'

/** Accepts files that are dropped anywhere on the list of documents. */
export default function DropAnywhere() {
  const [begun, setBegun] = useState<Begun[]>()
  const [{ f }] = useListSearch()
  const place = placeIn(f)
  const mayAdd = useMay('documents', 'create')
  const isOver = useDroppedFiles(mayAdd && !begun, (files) =>
    setBegun(add(null, files, undefined, { place })),
  )
  if (begun) return <UploadDialog begun={begun} onClose={() => setBegun(undefined)} />
  return isOver ? <DropOverlay>{t('Drop files to add them to the documents')}</DropOverlay> : null
}
