import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { blocksAsHtml } from '../../../server/src/kit/ground/editor-blocks.ts'
import { pdfAddress } from '../data/documents.ts'
import { idOf } from '../data/record.ts'
import { useMayOf } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { Html } from '../records/html.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './documents.module.css'
import { t } from '../locales/text.ts'

const Viewer = lazy(async () => ({ default: (await import('./view/viewer.tsx')).Viewer }))

/** The text of a document, or its file. */
export default function DocumentText({ module, record }: SectionProps) {
  const { editor_html_content: own, editorjs_content: blocks, file_path: path } = record
  const html = own ?? (isBlocks(blocks) ? blocksAsHtml(blocks) : null)
  const mayWrite = useMayWrite(module, record)
  const id = idOf(module, record)
  if (typeof path === 'string') {
    return (
      <>
        <div className={styles.file}>
          <Suspense fallback={<Skeleton height="100%" />}>
            <Viewer id={id} record={record} />
          </Suspense>
        </div>
        <ButtonLink
          variant="quiet"
          icon="expand"
          render={<Link to="/documents/$id/view" params={{ id }} />}
        >
          {t('Read in the whole window')}
        </ButtonLink>
      </>
    )
  }
  const write = mayWrite ? (
    <ButtonLink icon="pencil" render={<Link to="/documents/$id/edit" params={{ id }} />}>
      {t('Write')}
    </ButtonLink>
  ) : null
  if (typeof html === 'string' && html.trim()) {
    return (
      <>
        <p className={styles.acts}>
          {write}
          <ButtonLink icon="download" href={pdfAddress(id, false)} target="_blank" rel="noopener">
            {t('As PDF')}
          </ButtonLink>
        </p>
        <div className={styles.paper}>
          <Html html={html} isDocument />
        </div>
      </>
    )
  }
  return <Empty small icon="file-text" title={t('Nothing is written yet')} action={write} />
}

function isBlocks(value: unknown): value is { [field: string]: unknown } {
  return typeof value === 'object' && value !== null
}

/** Whether somebody may change the text: of the latest version, while no signatures are awaited. */
function useMayWrite(module: SectionProps['module'], record: SectionProps['record']): boolean {
  const mayUpdate = useMayOf(module.module, record, 'update')
  const isAwaited = ['pending', 'partial'].includes(String(record.signature_status))
  return mayUpdate && !isAwaited && record.latest_version !== false
}
