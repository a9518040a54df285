import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instant } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { Status } from '../ui/status.tsx'
import { PersonalDataDialog } from './personal-data-dialog.tsx'
import type { DataRequest } from './personal-data-query.ts'
import { dataRequestsQuery } from './personal-data-query.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

const states = {
  waiting: { tone: 'info', label: t('Waiting') },
  running: { tone: 'info', label: t('Running') },
  completed: { tone: 'good', label: t('Done') },
  failed: { tone: 'bad', label: t('Failed') },
} as const

/** Requests of people about their data: a copy of all of it, or its erasure. */
export default function PersonalData() {
  const format = useFormat()
  const [kind, setKind] = useState<'export' | 'erasure'>()
  const { data } = useSuspenseQuery(dataRequestsQuery)
  return (
    <SectionPage
      title={t('Personal data')}
      about={t(
        'When somebody asks what is stored about them, or wants it erased (GDPR, articles 15 and 17).',
      )}
      actions={
        <div className={styles.line}>
          <Button icon="download" onClick={() => setKind('export')}>
            {t('Export a person’s data')}
          </Button>
          <Button icon="trash" onClick={() => setKind('erasure')}>
            {t('Erase a person')}
          </Button>
        </div>
      }
    >
      <SettingGroup title={t('Requests')}>
        {data.map((each) => (
          <ItemRow
            key={each.request_id}
            lead={<Icon name={each.kind === 'export' ? 'download' : 'trash'} />}
            name={each.kind === 'export' ? t('Export') : t('Erasure')}
            marks={<Status tone={states[each.status].tone}>{states[each.status].label}</Status>}
            actions={
              each.kind === 'export' && each.status === 'completed' ? (
                <ButtonLink
                  size="small"
                  icon="download"
                  href={`/api/organization/personal-data/${each.request_id}/file/`}
                  download
                >
                  {t('Download')}
                </ButtonLink>
              ) : null
            }
          >
            {detailOf(each, instant(each.creation_time, format))}
          </ItemRow>
        ))}
        {data.length ? null : (
          <Empty small icon="shield" title={t('Nobody has asked yet')}>
            {t('Exports and erasures are listed here, with a receipt of what was done.')}
          </Empty>
        )}
      </SettingGroup>
      {kind ? <PersonalDataDialog kind={kind} onClose={() => setKind(undefined)} /> : null}
    </SectionPage>
  )
}

/** The time and the result of a request. */
function detailOf({ error, receipt }: DataRequest, when: string): string {
  const rows = Object.values(receipt.rows ?? {}).reduce((sum, count) => sum + count, 0)
  return [
    when,
    rows
      ? t('{count} row changed or removed | {count} rows changed or removed', { count: rows })
      : null,
    receipt.files?.removed
      ? t('{count} file removed | {count} files removed', { count: receipt.files.removed })
      : null,
    receipt.mails
      ? t('{count} mail removed | {count} mails removed', { count: receipt.mails })
      : null,
    ...(receipt.kept ?? []).map(({ what, why }) => t('kept: {what}, {why}', { what, why })),
    error,
  ]
    .filter(Boolean)
    .join(' · ')
}
