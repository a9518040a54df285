import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import { notifyRefusal } from '../../data/change.ts'
import { keys } from '../../data/keys.ts'
import { notify } from '../../data/notices.ts'
import { queryClient } from '../../data/query-client.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from '../results.module.css'
import { t } from '../../locales/text.ts'
import type { ResultFilters } from './place.ts'

type Shared = AnswerOf<'/api/surveys/{id}/share-results/', 'get'>[number]
type Props = { survey: string; filters: ResultFilters; onClose: () => void }

/** Links at which others see the results without an account: a new one, and those that there are. */
export default function ShareResults({ survey, filters, onClose }: Props) {
  const format = useFormat()
  const [texts, setTexts] = useState(false)
  const [names, setNames] = useState(false)
  const [until, setUntil] = useState<string | null>(null)
  const queryKey = [...keys.record('surveys', survey), 'shared-results']
  const links = useQuery({
    queryKey,
    queryFn: async () =>
      (await api.get('/api/surveys/{id}/share-results/', { path: { id: survey } })).data,
  })
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { version, ...others } = filters
    const { data } = await api.post('/api/surveys/{id}/share-results/', {
      path: { id: survey },
      body: {
        texts,
        names: texts && names,
        expires_at: until ? `${until}T23:59:59` : null,
        filters: { ...others, ...(version ? { version: Number(version) } : {}) } as never,
      },
      idempotencyKey: crypto.randomUUID(),
    })
    await refresh()
    await copy(data.url)
  })
  const end = (link: Shared) =>
    api
      .delete('/api/surveys/{id}/share-results/{link_id}/', {
        path: { id: survey, link_id: link.link_id },
      })
      .then(refresh)
      .then(() => notify({ message: t('The link no longer works') }))
      .catch(notifyRefusal)
  return (
    <Dialog
      open
      size="large"
      title={t('Share the results')}
      description={t(
        'Anyone with the link sees them, without an account and without changing anything.',
      )}
      onOpenChange={onClose}
      onSubmit={submit}
      footer={
        <Button type="submit" variant="primary" icon="link" busy={isBusy}>
          {t('Make a link')}
        </Button>
      }
    >
      <div className={styles.share}>
        {Object.keys(filters).length ? (
          <p className={styles.about}>{t('It shows the answers that the filters show now.')}</p>
        ) : null}
        <Checkbox checked={texts} onChange={setTexts}>
          {t('With answers in words')}
        </Checkbox>
        <Checkbox checked={texts && names} disabled={!texts} onChange={setNames}>
          {t('With the names of those who wrote them')}
        </Checkbox>
        <Field
          label={t('Ends after')}
          hint={t('Without a day, when you end it.')}
          error={problem?.of('expires_at')}
        >
          <DateField className={styles.day ?? ''} value={until} onChange={setUntil} />
        </Field>
        {problem && !problem.of('expires_at') ? (
          <p className={styles.about} role="alert">
            {problem.message}
          </p>
        ) : null}
        {links.error && !links.data ? (
          <ReadFault
            small
            title={t('The links could not be read')}
            error={links.error}
            onRetry={links.refetch}
          />
        ) : links.data ? (
          <ul className={styles.links}>
            {links.data.map((link) => (
              <li key={link.link_id}>
                <TextField
                  label={t('Address of the results')}
                  value={link.url}
                  readOnly
                  onChange={() => undefined}
                  onFocus={(event) => event.currentTarget.select()}
                />
                <small>
                  {[
                    link.texts
                      ? link.names
                        ? t('With words and names')
                        : t('With words')
                      : t('Numbers only'),
                    link.expires_at
                      ? t('until {at}', { at: instant(link.expires_at, format) })
                      : null,
                    Object.keys(link.filters).length ? t('some answers') : null,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
                <span className={styles.acts}>
                  <Button
                    size="small"
                    variant="quiet"
                    icon="copy"
                    onClick={() => void copy(link.url)}
                  >
                    {t('Copy link')}
                  </Button>
                  <Button size="small" variant="quiet" onClick={() => void end(link)}>
                    {t('End the link')}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <SkeletonRows count={2} />
        )}
      </div>
    </Dialog>
  )
}

async function copy(url: string): Promise<void> {
  await navigator.clipboard.writeText(url)
  notify({ message: t('Link to the results copied') })
}
