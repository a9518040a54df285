import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { useMayOf } from '../data/session.ts'
import type { Transcript } from '../data/transcripts.ts'
import { addTranscript, removeTranscript, transcriptQuery } from '../data/transcripts.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { SectionProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { duration } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { languages } from '../settings/choices.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { DropZone, FilePicker } from '../ui/file-picker.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { clock, meeting } from './at.tsx'
import styles from './insight.module.css'
import { t } from '../locales/text.ts'

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const accepted = `.txt,.vtt,.srt,.docx,text/plain,text/vtt,${wordType}`
const daysStored = 90

/** What was said in a meeting: pasted or dropped, then line by line. */
export default function TranscriptTab({ record }: SectionProps) {
  const id = String(record.calendar_id)
  const mayAdd = useMayOf('calendar', record, 'update')
  const { data, error, refetch } = useQuery(transcriptQuery(id))
  const [isReplaced, setReplaced] = useState(false)
  if (error && !data) return <NotRead error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows count={6} />
  if (data && !isReplaced) {
    return <Lines transcript={data} mayChange={mayAdd} onReplace={() => setReplaced(true)} />
  }
  if (!mayAdd) {
    return (
      <Empty small icon="file-text" title={t('No transcript')}>
        {t('Whoever may change the meeting can add one.')}
      </Empty>
    )
  }
  return (
    <Add
      id={id}
      onDone={() => setReplaced(false)}
      onCancel={data ? () => setReplaced(false) : undefined}
    />
  )
}

/** Why there is nothing to see: that the person was not there, or a fault. */
export function NotRead({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  if (asProblem(error).status === 403) {
    return (
      <Empty small icon="lock" title={t('You were not there')}>
        {t(
          'What was said in a meeting is for those who were invited before it was over, and administrators.',
        )}
      </Empty>
    )
  }
  const title = t('The transcript could not be read')
  return <ReadFault small title={title} error={error} onRetry={onRetry} />
}

type AddProps = { id: string; onDone: () => void; onCancel: (() => void) | undefined }

function Add({ id, onDone, onCancel }: AddProps) {
  const [text, setText] = useState('')
  const [days, setDays] = useState<number | null>(daysStored)
  const { submit, isBusy, problem } = useSubmit(async () => {
    await addTranscript(id, text, days ?? daysStored)
    onDone()
  })
  const take = async ([file]: File[]) => {
    if (!file) return
    const isWord = file.type === wordType || /\.docx$/i.test(file.name)
    // loaded when the first one is dropped
    const read = isWord ? await (await import('./docx.ts')).textOfDocument(file) : await file.text()
    if (read === undefined) {
      const message = t('{name} cannot be read: save it again as a document or as text', {
        name: file.name,
      })
      return notify({ message })
    }
    setText(read)
  }
  return (
    <DropZone
      label={t('Drop a transcript here')}
      accept={accepted}
      multiple={false}
      onFiles={(files) => void take(files).catch(notifyRefusal)}
    >
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          label={t('Transcript')}
          hint={t(
            'Paste it, or drop a file: text, VTT, SRT or a Word document, as Zoom, Teams, Meet and Fathom give it.',
          )}
          error={
            problem?.of('text') ??
            (problem && !problem.of('keep_days') ? problem.message : undefined)
          }
        >
          <TextArea rows={10} value={text} onChange={setText} disabled={isBusy} />
        </Field>
        <Field
          label={t('Days until it is removed')}
          hint={t('Those who were invited before it was over can read it, and administrators.')}
          error={problem?.of('keep_days')}
        >
          <NumberField min={1} max={365} value={days} onChange={setDays} />
        </Field>
        <div className={styles.acts}>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!text.trim()}>
            {isBusy ? t('Reading it') : t('Add transcript')}
          </Button>
          <FilePicker
            label={t('Choose a file')}
            accept={accepted}
            onFiles={(files) => void take(files).catch(notifyRefusal)}
          />
          {onCancel ? (
            <Button variant="quiet" onClick={onCancel}>
              {t('Cancel')}
            </Button>
          ) : null}
        </div>
      </form>
    </DropZone>
  )
}

type LinesProps = { transcript: Transcript; mayChange: boolean; onReplace: () => void }

function Lines({ transcript, mayChange, onReplace }: LinesProps) {
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const { calendar_id: id, lines, seconds, language, expires_at, added_by } = transcript
  const hash = useRouterState({ select: (state) => state.location.hash })
  const wanted = /^said-(\d+)$/.exec(hash)?.[1]
  // the line in which it was said: the last one that had begun
  const shown = wanted ? lines.findLastIndex(({ at }) => at !== null && at <= Number(wanted)) : -1
  useEffect(() => {
    if (shown >= 0) document.getElementById(`line-${shown}`)?.scrollIntoView({ block: 'center' })
  }, [shown])
  const until = new Intl.DateTimeFormat(format.locale, {
    dateStyle: 'medium',
    timeZone: format.timezone,
  }).format(new Date(expires_at))
  const spoken = languages.find(({ value }) => value === language)?.label
  const facts = [
    seconds === null ? null : duration(seconds, format),
    spoken,
    added_by ? t('added by {name}', { name: added_by }) : null,
    t('removed on {date}', { date: until }),
  ]
  return (
    <div className={styles.said}>
      <div className={styles.bar}>
        <p>{facts.filter(Boolean).join(' · ')}</p>
        <Link to={addressIn(meeting, id, 'insight')}>{t('What came out of it')}</Link>
        {mayChange ? (
          <>
            <Button onClick={onReplace}>{t('Replace')}</Button>
            <Button variant="quiet" icon="trash" onClick={() => setAsked(true)}>
              {t('Delete')}
            </Button>
          </>
        ) : null}
      </div>
      <ol>
        {lines.map(({ at, speaker, text }, n) => (
          <li
            // lines have no ids, and do not move
            key={n}
            id={`line-${n}`}
            aria-current={n === shown ? 'true' : undefined}
          >
            <span className={styles.time}>{at === null ? '' : clock(at)}</span>
            <span className={styles.speaker}>{speaker}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('Delete the transcript?')}
        description={t(
          'What was read out of it goes too. It cannot be restored; tasks that were made of it stay.',
        )}
        confirm={t('Delete transcript')}
        onConfirm={() => void removeTranscript(id).catch(notifyRefusal)}
      />
    </div>
  )
}
