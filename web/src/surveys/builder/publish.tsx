import { api } from '../../api/client.ts'
import { refreshRecord } from '../../data/cached.ts'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import type { AnyRecord } from '../../data/record.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import type { Draft } from './draft.ts'
import { differencesOf, faultsOf, numbersOf } from './draft.ts'
import { missingWords } from './translated.ts'
import type { Edited } from './use-draft.ts'
import type { Survey } from './unpublish.ts'
import { unpublish } from './unpublish.ts'
import { draftFrom } from './use-draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  id: string
  record: AnyRecord
  draft: Draft
  edited: Edited
  onClose: () => void
  onShow: (id: string) => void
}

const signs = { added: '+', removed: '−', changed: '~' }
const words = { added: t('Added'), removed: t('Removed'), changed: t('Changed') }

/** Publishes the draft: it shows what that changes, or what is missing first. */
export function PublishDialog({ id, record, draft, edited, onClose, onShow }: Props) {
  const before = draftFrom(record)
  const faults = faultsOf(draft)
  const numbers = numbersOf(draft)
  const answers = Number(record.response_count ?? 0)
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { data: published } = await api.post('/api/surveys/{id}/publish/', { path: { id } })
    await settle()
    edited.forget()
    notify({
      message: t('{name} published', { name: draft.texts.name }),
      undo: async () => {
        // what was changed since stays
        await edited.flush()
        await unpublish(id, record as Survey, published).catch(notifyRefusal)
        await settle()
      },
    })
    onClose()
  })
  async function settle() {
    await Promise.all([refreshRecord('surveys', id), edited.refetch()])
  }
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={faults.length ? t('Before it can be published') : t('What changes')}
      description={
        answers && !faults.length
          ? t(
              '{count} answer stays with what it answered. | {count} answers stay with what they answered.',
              { count: answers },
            )
          : undefined
      }
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={faults.length > 0}>
            {t('Publish')}
          </Button>
        </>
      }
    >
      {problem ? <ProblemBanner problem={problem} /> : null}
      {missingWords(draft).map((each) => (
        <p key={each} className={styles.note}>
          {each}
        </p>
      ))}
      {faults.length ? (
        <ul className={styles.differences} aria-label={t('What is missing')}>
          {faults.map((fault, at) => (
            <li key={at}>
              <button type="button" onClick={() => onShow(fault.id)}>
                {[
                  numbers.has(fault.id)
                    ? `${t('Question {number}:', { number: numbers.get(fault.id) })} `
                    : '',
                  fault.message,
                ]}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <ul className={styles.differences} aria-label={t('Changes')}>
          {differencesOf(before, draft).map(({ id: each, kind, title, what }) => (
            <li key={each}>
              <abbr title={words[kind]}>{signs[kind]}</abbr>
              <span>
                {title} <small>{what}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
