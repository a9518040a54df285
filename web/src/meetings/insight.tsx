import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayOf } from '../data/session.ts'
import type { Transcript } from '../data/transcripts.ts'
import { changeSummary, transcriptQuery } from '../data/transcripts.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { SectionProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { duration, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { fileSize } from '../records/files/describe.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { At, meeting } from './at.tsx'
import { FollowUp } from './follow-up.tsx'
import styles from './insight.module.css'
import { Suggested, useChosen } from './suggested.tsx'
import { NotRead } from './transcript.tsx'
import { t } from '../locales/text.ts'

/** What came out of a meeting: summary, decisions, tasks to add, and the mail about it. */
export default function InsightTab({ record }: SectionProps) {
  const id = String(record.calendar_id)
  const mayUpdate = useMayOf('calendar', record, 'update')
  const { data, error, refetch } = useQuery(transcriptQuery(id))
  if (error && !data) return <NotRead error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={8} />
  if (!data) {
    return (
      <Empty
        small
        icon="file-text"
        title={t('Nothing was read yet')}
        action={
          mayUpdate ? (
            <ButtonLink
              variant="primary"
              render={<Link to={addressIn(meeting, id, 'transcript')} />}
            >
              {t('Add transcript')}
            </ButtonLink>
          ) : undefined
        }
      >
        {t('Summary, decisions and tasks come from the transcript.')}
      </Empty>
    )
  }
  const { project } = record as { project?: { project_name?: string | null } | null }
  return <Whole transcript={data} mayUpdate={mayUpdate} project={project?.project_name ?? null} />
}

type Props = { transcript: Transcript; mayUpdate: boolean; project: string | null }

function Whole({ transcript, mayUpdate, project }: Props) {
  const format = useFormat()
  const chosen = useChosen(transcript)
  const { calendar_id: id, decisions, speakers } = transcript
  return (
    <div className={styles.insight}>
      <div className={styles.main}>
        <p className={styles.source}>
          <Icon name="info" />
          {sourceOf(transcript, format)}
        </p>
        <Summary transcript={transcript} mayUpdate={mayUpdate} />
        {decisions.length ? (
          <section>
            <h3>{t('Decisions')}</h3>
            <ul className={styles.decisions}>
              {decisions.map(({ text, at }) => (
                <li key={`${at} ${text}`}>
                  <Icon name="circle-check" />
                  <span>
                    {text} <At id={id} seconds={at} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <Suggested transcript={transcript} chosen={chosen} project={project} />
      </div>
      <aside className={styles.beside}>
        {mayUpdate ? <FollowUp transcript={transcript} items={chosen.shared} /> : null}
        {speakers.length ? (
          <section>
            <h3>{t('Who spoke')}</h3>
            <ul className={styles.spoke}>
              {speakers.map(({ name, share }) => (
                <li key={name}>
                  <span>{name}</span>
                  <span className={styles.track} aria-hidden>
                    <span style={{ width: `${share}%` }} />
                  </span>
                  <span>{percent(share, format)}</span>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </aside>
    </div>
  )
}

/** What it was read from, and by whom. */
function sourceOf(
  { seconds, source, model, sent_bytes, is_model_asked: isAsked }: Transcript,
  format: ReturnType<typeof useFormat>,
): string {
  const from =
    seconds === null
      ? t('From the transcript')
      : t('From a transcript of {duration}', { duration: duration(seconds, format) })
  if (source === 'model' && model) {
    return t('{from}, read by {model}, {size} sent.', {
      from,
      model,
      size: fileSize(sent_bytes ?? 0, format.locale),
    })
  }
  if (isAsked) return t('{from}, read by rules; a language model is still reading it.', { from })
  if (model) return t('{from}, read by rules: {model} had no good answer.', { from, model })
  return t('{from}, read on this server without a model.', { from })
}

function Summary({ transcript, mayUpdate }: Omit<Props, 'project'>) {
  const [typed, setTyped] = useState<string>()
  const { summary } = transcript
  const { submit, isBusy, problem } = useSubmit(async () => {
    await changeSummary(transcript, (typed ?? '').trim())
    setTyped(undefined)
  })
  return (
    <section>
      <div className={styles.title}>
        <h3>{t('Summary')}</h3>
        {mayUpdate && typed === undefined ? (
          <IconButton
            icon="pencil"
            label={t('Edit the summary')}
            onClick={() => setTyped(summary ?? '')}
          />
        ) : null}
      </div>
      {typed === undefined ? (
        <p className={styles.summary}>{summary || t('No summary')}</p>
      ) : (
        <form
          className={styles.add}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Field label={t('Summary')} error={problem?.message}>
            <TextArea autoFocus rows={5} value={typed} onChange={setTyped} />
          </Field>
          <div className={styles.acts}>
            <Button type="submit" variant="primary" busy={isBusy}>
              {t('Save')}
            </Button>
            <Button variant="quiet" onClick={() => setTyped(undefined)}>
              {t('Cancel')}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
