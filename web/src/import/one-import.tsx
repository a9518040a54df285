import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { describedAs, importQuery, isAtWork, readRecordsAgain } from '../data/imports.ts'
import { moduleQuery } from '../data/modules.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import styles from './import.module.css'
import { ImportPlan } from './plan.tsx'
import { ImportResult } from './result.tsx'
import { t } from '../locales/text.ts'

/** An import by its state: its plan before it starts, its progress, its result. */
export function OneImport({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(importQuery(id))
  const { data: module } = useQuery({
    ...moduleQuery(data ? describedAs(data.module) : ''),
    enabled: data !== undefined,
  })
  const wasAtWork = useRef(false)
  useEffect(() => {
    if (!data) return
    if (wasAtWork.current && !isAtWork(data)) void readRecordsAgain(data)
    wasAtWork.current = isAtWork(data)
  }, [data])
  if (error && !data) {
    return (
      <>
        <PageHeader title={t('Import')} />
        <ReadFault
          title={t('The import could not be read')}
          missing={t('There is no such import')}
          error={error}
          onRetry={refetch}
        />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={data ? t('Import {many}', { many: module?.word.many ?? data.module }) : t('Import')}
        actions={
          <ButtonLink icon="upload" render={<Link to="/import" />}>
            {t('Another file')}
          </ButtonLink>
        }
      />
      <div className={styles.page}>
        {data && module ? (
          data.status === 'uploaded' ? (
            <ImportPlan found={data} module={module} />
          ) : (
            <ImportResult found={data} module={module} />
          )
        ) : (
          <SkeletonRows count={6} />
        )}
      </div>
    </>
  )
}
