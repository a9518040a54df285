import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DocumentRow } from '../../data/documents.ts'
import { makeWritten } from '../../data/documents.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { addressIn } from '../../records/definition.ts'
import type { NewFormProps } from '../../records/definition.ts'
import { UploadLine } from '../../records/files/upload-line.tsx'
import { add, useUploads } from '../../records/files/uploads.ts'
import { useListSearch } from '../../records/use-list.ts'
import { placeIn } from '../folders/folder.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/file-picker.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import styles from './upload.module.css'
import { t } from '../../locales/text.ts'

/** An upload that has begun: its document once it is stored, null if it was cancelled. */
export type Begun = Promise<DocumentRow | null>

const documents = { address: '/documents' }

/**
 * Uploads files as documents of no record yet. A single one opens when it is there; of several, each can be opened. They
 * go on when this is closed, and nothing opens then.
 */
export default function UploadDialog({
  onClose,
  begun = [],
}: Pick<NewFormProps, 'onClose'> & { begun?: Begun[] }) {
  const navigate = useNavigate()
  const { all } = useUploads(null)
  const [started, setStarted] = useState(begun)
  const stored = useStored(started)
  const [{ f }] = useListSearch()
  const place = placeIn(f)
  const only = started.length === 1 ? stored[0] : undefined
  const write = useSubmit(async () => {
    const id = await makeWritten(t('Untitled document'))
    onClose()
    await navigate({ to: '/documents/$id/edit', params: { id } })
  })
  const open = useEffectEvent(({ attach_id: id }: DocumentRow) => {
    onClose()
    void navigate({ to: addressIn(documents, id) })
  })
  useEffect(() => {
    if (only) open(only)
  }, [only])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('New document')}
      description={t('PDF, pictures, texts and other files, up to 50 MB each.')}
      size="large"
      footer={
        <Button onClick={onClose}>{all.length ? t('Go on in the background') : t('Close')}</Button>
      }
    >
      {started.length ? null : (
        <p className={styles.write}>
          <Button icon="pencil" busy={write.isBusy} onClick={write.submit}>
            {t('Write a document')}
          </Button>
        </p>
      )}
      {write.problem ? <ProblemBanner problem={write.problem} /> : null}
      <DropZone
        boxed
        label={t('Drop files here')}
        onFiles={(files) => setStarted([...started, ...add(null, files, undefined, { place })])}
      >
        {t('Drop files here, or')}
      </DropZone>
      <ul className={styles.list}>
        {all.map((each) => (
          <UploadLine key={each.key} sending={each} />
        ))}
        {stored.map(({ attach_id: id, document_name: name }) => (
          <li key={id} className={styles.stored}>
            <Icon name="circle-check" />
            <Link to={addressIn(documents, id)}>{name}</Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** The documents of uploads that are stored, as they come. */
function useStored(uploads: Begun[]): DocumentRow[] {
  const [stored, setStored] = useState<ReadonlyMap<Begun, DocumentRow>>(new Map())
  useEffect(() => {
    let isOver = false
    for (const each of uploads) {
      void each.then((document) => {
        if (document && !isOver) setStored((before) => new Map(before).set(each, document))
      })
    }
    return () => {
      isOver = true
    }
  }, [uploads])
  return [...stored.values()]
}
