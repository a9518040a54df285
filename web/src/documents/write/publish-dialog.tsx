import { api } from '../../api/client.ts'
import { notify } from '../../data/notices.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { Written } from '../../data/written.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import type { ShownValue } from './node-views.ts'
import type { Seen } from './use-editor.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

/** Says what follows from publishing, and what has to be settled before. */
export function PublishDialog({
  id,
  record,
  seen,
  values,
  beforehand,
  onDone,
  onClose,
}: {
  id: () => string
  record: Written['record']
  seen: Seen
  values: ReadonlyMap<string, ShownValue>
  beforehand: () => Promise<void>
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const publish = useSubmit(async () => {
    await beforehand()
    await api.post('/api/documents/{id}/publish/', { path: { id: id() } })
    notify({ message: t('Published') })
    await onDone()
  })
  const missing = seen.values.filter((inner) => values.get(inner)?.value === null)
  const stops = [
    ...missing.map((inner) => {
      const { name = inner, state } = values.get(inner) ?? {}
      return state === 'unknown'
        ? t('{name} is no value', { name: inner })
        : t('{name} is empty', { name })
    }),
    ...(seen.choices
      ? [t('{count} choice is open. | {count} choices are open.', { count: seen.choices })]
      : []),
  ]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Publish the document?')}
      onSubmit={publish.submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" disabled={stops.length > 0} busy={publish.isBusy}>
            {t('Publish')}
          </Button>
        </>
      }
    >
      {publish.problem ? <ProblemBanner problem={publish.problem} /> : null}
      {stops.length ? (
        <>
          <p>{t('First these have to be settled:')}</p>
          <ul className={styles.problems}>
            {stops.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      ) : null}
      {seen.undescribed ? (
        <p>
          {t(
            '{count} picture has no words for those who do not see it. | {count} pictures have no words for those who do not see them.',
            {
              count: seen.undescribed,
            },
          )}
        </p>
      ) : null}
      <p>
        {record.is_shared
          ? t('The customer will see it, too.')
          : t('Whoever may read this document sees it.')}{' '}
        {seen.values.length ? t('Values stay as they are now.') : ''}{' '}
        {t('Later changes make version {number}.', { number: record.version + 1 })}
      </p>
    </Dialog>
  )
}
