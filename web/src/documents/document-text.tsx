import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { idOf } from '../data/record.ts'
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
  const { editor_html_content: html, file_path: path } = record
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
  if (typeof html === 'string' && html.trim()) {
    return (
      <div className={styles.paper}>
        <Html html={html} />
      </div>
    )
  }
  return <Empty small icon="file-text" title={t('Nothing is written yet')} />
}
