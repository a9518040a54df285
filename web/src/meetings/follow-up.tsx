import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FollowUp as Draft, Transcript } from '../data/transcripts.ts'
import { followUpQuery, sendFollowUp } from '../data/transcripts.ts'
import { useSubmit } from '../data/use-submit.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { languages } from '../settings/choices.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { usePaused } from '../ui/use-paused.ts'
import styles from './insight.module.css'
import { t } from '../locales/text.ts'

/** The mail about what came out of a meeting; it follows the ticks until it is edited or sent. */
export function FollowUp({ transcript, items }: { transcript: Transcript; items: string[] }) {
  const [language, setLanguage] = useState<Draft['language']>()
  const [edited, setEdited] = useState<Draft>()
  const [isSent, setSent] = useState(false)
  const listed = usePaused(items.join(','), 300)
  const wanted = listed ? listed.split(',') : []
  const { data, error, refetch, isPlaceholderData } = useQuery(
    followUpQuery(transcript, wanted, language),
  )
  // what stands there is still that of other ticks
  const isBehind = !edited && (isPlaceholderData || listed !== items.join(','))
  const draft = edited ?? data
  const { submit, isBusy } = useSubmit(async () => {
    if (!draft) return
    await sendFollowUp(transcript, draft)
    setSent(true)
    setEdited(undefined)
  })
  if (error && !draft) {
    const title = t('The mail could not be drafted')
    return <ReadFault small title={title} error={error} onRetry={refetch} />
  }
  if (!draft) return <SkeletonRows count={4} />
  const names = draft.to.map(({ name, address }) => name || address)
  return (
    <section>
      <div className={styles.title}>
        <h3>{t('Follow-up mail')}</h3>
        <Choice
          label={t('Language of the mail')}
          options={languages}
          value={draft.language}
          disabled={edited !== undefined}
          onChange={(value) => setLanguage((value ?? undefined) as Draft['language'] | undefined)}
        />
      </div>
      <div className={styles.mail}>
        <dl>
          <dt>{t('To')}</dt>
          <dd>{names.join(', ') || t('Nobody with an e-mail was invited')}</dd>
          {edited ? null : (
            <>
              <dt>{t('Subject')}</dt>
              <dd>{draft.subject}</dd>
            </>
          )}
        </dl>
        {edited ? (
          <>
            <Field label={t('Subject')}>
              <TextField
                value={edited.subject}
                maxLength={255}
                onChange={(subject) => setEdited({ ...edited, subject })}
              />
            </Field>
            <Field label={t('Text')}>
              <TextArea
                rows={12}
                value={edited.text}
                onChange={(text) => setEdited({ ...edited, text })}
              />
            </Field>
          </>
        ) : (
          <p>{draft.text}</p>
        )}
      </div>
      <p className={styles.quiet}>
        {edited
          ? t('Your words; the ticks no longer change it.')
          : t(
              'Lists only what is shared with the customer, and follows the ticks until it is sent.',
            )}
      </p>
      <div className={styles.acts}>
        {edited ? (
          <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>
        ) : (
          <Button disabled={isBehind} onClick={() => setEdited(draft)}>
            {t('Edit')}
          </Button>
        )}
        <Button
          icon="send"
          busy={isBusy}
          disabled={isBehind || !names.length || !draft.text.trim() || !draft.subject.trim()}
          onClick={() => submit()}
        >
          {isSent
            ? t('Send again to {count}', { count: names.length })
            : t('Send to {count}', { count: names.length })}
        </Button>
      </div>
    </section>
  )
}
