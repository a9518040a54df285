import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { DocumentVersion } from '../../data/written.ts'
import { keepVersion, versionsQuery } from '../../data/written.ts'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Compared } from './compared.tsx'
import { textOf } from './use-written.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

/** The versions of the document: compared with the text as it is now, and put back. */
export function VersionsPane({
  id,
  now,
  onKeep,
  onKept,
  onRestore,
}: {
  id: string
  now: string[]
  /** stores what is not stored yet; the id of what is kept */
  onKeep: () => Promise<string>
  onKept: (id: string) => void
  onRestore: (version: DocumentVersion) => void
}) {
  const { data, error, isPending, refetch } = useQuery(versionsQuery(id))
  const [compared, setCompared] = useState<DocumentVersion>()
  const format = useFormat()
  const keep = useSubmit(async () => {
    onKept(await keepVersion(await onKeep()))
    notify({ message: t('Kept as a version') })
  })
  if (error && !data) {
    return (
      <ReadFault
        small
        title={t('The versions could not be read')}
        error={error}
        onRetry={refetch}
      />
    )
  }
  const others = data?.filter(({ attach_id }) => attach_id !== id) ?? []
  const written = others.filter(({ file_path: path }) => !path)
  return (
    <div className={styles.pane}>
      {keep.problem ? <ProblemBanner problem={keep.problem} /> : null}
      <Button icon="save" busy={keep.isBusy} onClick={keep.submit}>
        {t('Keep as a version')}
      </Button>
      {isPending ? <SkeletonRows count={3} /> : null}
      {data && !written.length ? <p>{t('There is no other version yet.')}</p> : null}
      <ul className={styles.versions}>
        {written.map((version) => (
          <li key={version.attach_id}>
            <span>
              <strong>{t('Version {number}', { number: version.version })}</strong>{' '}
              {version.document_status === 'published' ? t('Published') : t('Draft')}
            </span>
            <span className={styles.quiet}>
              {[version.created_by?.full_name, instant(version.creation_time, format)]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <Button size="small" onClick={() => setCompared(version)}>
              {t('Compare')}
            </Button>
          </li>
        ))}
      </ul>
      {compared ? (
        <Dialog
          open
          size="large"
          onOpenChange={() => setCompared(undefined)}
          title={t('Since version {number}', { number: compared.version })}
          footer={
            <>
              <Button onClick={() => setCompared(undefined)}>{t('Close')}</Button>
              <Button
                variant="primary"
                onClick={() => {
                  onRestore(compared)
                  setCompared(undefined)
                }}
              >
                {t('Restore this version')}
              </Button>
            </>
          }
        >
          <Compared before={textOf({ id: '', version: 0, record: compared }).blocks} after={now} />
        </Dialog>
      ) : null}
    </div>
  )
}
