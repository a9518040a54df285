import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { fileAddress } from '../../data/documents.ts'
import { moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { addressIn } from '../../records/definition.ts'
import { usePageTitle } from '../../records/page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PrepareLink } from '../signatures/prepare-link.tsx'
import { Viewer } from './viewer.tsx'
import styles from './view.module.css'
import { t } from '../../locales/text.ts'

/** A document's file with the whole window for it. */
export default function ViewPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { data: module } = useSuspenseQuery(moduleQuery('documents'))
  const { data } = useSuspenseQuery(recordQuery(module, id))
  const record: AnyRecord = data
  const title = titleOf(module, record)
  usePageTitle(title)
  const address = { address: '/documents' }
  return (
    <div className={styles.whole}>
      <header className={styles.head}>
        <nav aria-label={t('Breadcrumb')}>
          <Link to="/documents">{t('Documents')}</Link>
          <span aria-hidden="true">/</span>
          <Link to={addressIn(address, id)}>
            <h1>{title}</h1>
          </Link>
        </nav>
        <PrepareLink id={id} record={record} />
        <ButtonLink icon="download" href={fileAddress(id, true)} download>
          {t('Download')}
        </ButtonLink>
      </header>
      <Viewer id={id} record={record} />
    </div>
  )
}
