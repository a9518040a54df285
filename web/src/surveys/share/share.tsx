import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { notify } from '../../data/notices.ts'
import { idOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import type { SectionProps } from '../../records/definition.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../locales/text.ts'
import { Embed } from './embed.tsx'
import { Mailing } from './mailing.tsx'
import { Mailings } from './mailings.tsx'
import { PersonalLinks } from './personal-links.tsx'
import styles from './share.module.css'

/** How a survey reaches people: by mail, with what came of each mailing, and by a link for everybody. */
export default function Share({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const mayUpdate = useMayOf('surveys', record, 'update')
  const isOpen = record.status === 'published'
  if (!mayUpdate) {
    return (
      <div className={styles.ways}>
        <Empty small icon="link" title={t('You can read this survey, and not send it')} />
        <Mailings survey={id} mayStop={false} />
      </div>
    )
  }
  return (
    <div className={styles.share}>
      <div className={styles.columns}>
        <div className={styles.ways}>
          {isOpen ? (
            <Mailing survey={id} />
          ) : (
            <Empty small icon="link" title={t('It takes no answers now')}>
              {t('Publish it, and it can be sent and linked.')}
            </Empty>
          )}
          <Mailings survey={id} mayStop />
        </div>
        {isOpen ? (
          <div className={styles.ways}>
            <PublicLink survey={id} />
            <PersonalLinks survey={id} />
            <Embed survey={id} />
          </div>
        ) : null}
      </div>
    </div>
  )
}

/** The address at which anyone may answer. */
function PublicLink({ survey }: { survey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.record('surveys', survey), 'link'],
    queryFn: async () =>
      (await api.post('/api/surveys/{id}/link/', { path: { id: survey }, body: {} })).data.url,
    // each is a new address of the same page
    staleTime: Infinity,
  })
  const copy = async (url: string) => {
    await navigator.clipboard.writeText(url)
    notify({ message: t('Link to the survey copied') })
  }
  return (
    <Card title={t('Link for everybody')}>
      {error && !data ? (
        <ReadFault small title={t('The link could not be made')} error={error} onRetry={refetch} />
      ) : data ? (
        <div className={styles.form}>
          <img
            className={styles.code}
            src={`/api/surveys/${survey}/link/code/`}
            alt={t('QR code of the address')}
          />
          <TextField
            label={t('Address of the survey')}
            value={data}
            readOnly
            onChange={() => undefined}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div className={styles.acts}>
            <Button icon="copy" onClick={() => void copy(data)}>
              {t('Copy link')}
            </Button>
            <ButtonLink
              variant="quiet"
              icon="external-link"
              href={data}
              target="_blank"
              rel="noopener"
            >
              {t('Open the page')}
            </ButtonLink>
            {(['svg', 'png'] as const).map((format) => (
              <ButtonLink
                key={format}
                variant="quiet"
                icon="download"
                href={`/api/surveys/${survey}/link/code/?format=${format}&size=12`}
                download
              >
                {t('Code as {format}', { format: format.toUpperCase() })}
              </ButtonLink>
            ))}
          </div>
          <p className={styles.quiet}>{t('Anyone with it can answer, once in each browser.')}</p>
        </div>
      ) : (
        <SkeletonRows count={2} />
      )}
    </Card>
  )
}
