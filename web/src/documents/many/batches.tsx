import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Batch } from '../../data/batches.ts'
import { batchesQuery, batchQuery, cancelBatch, goesOn } from '../../data/batches.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { addressIn } from '../../records/definition.ts'
import { relative } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { Progress } from '../../ui/progress.tsx'
import styles from './many.module.css'
import { t } from '../../locales/text.ts'

/** What was sent to many of a document, or is on its way; nothing where nothing was. */
export default function Batches({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(batchesQuery(id))
  if (error && !data) {
    return <ReadFault small title={t('It could not be read')} error={error} onRetry={refetch} />
  }
  if (!data?.length) return null
  return (
    <section className={styles.batches} aria-labelledby="batches">
      <h3 id="batches">{t('Sent to many')}</h3>
      <ul>
        {data.map((batch) => (
          <One key={batch.batch_id} id={id} batch={batch} />
        ))}
      </ul>
    </section>
  )
}

function One({ id, batch }: { id: string; batch: Batch }) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const stop = useSubmit(() => cancelBatch(id, batch.batch_id))
  const words = stateOf(batch)
  return (
    <li>
      <div className={styles.head}>
        <p>
          {words}
          <small>
            {batch.created_by
              ? `${batch.created_by} · ${relative(batch.creation_time, format)}`
              : relative(batch.creation_time, format)}
            {batch.failure ? ` · ${batch.failure}` : ''}
          </small>
        </p>
        <div className={styles.acts}>
          {goesOn(batch) ? (
            <Button size="small" busy={stop.isBusy} onClick={stop.submit}>
              {batch.status === 'held' ? t('Undo') : t('Stop')}
            </Button>
          ) : null}
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t('Hide people') : t('Show people')}
          </Button>
        </div>
      </div>
      {batch.status === 'running' ? (
        <Progress
          label={words}
          value={batch.sent_count + batch.failed_count}
          max={batch.line_count}
        />
      ) : null}
      {stop.problem ? <ProblemBanner problem={stop.problem} /> : null}
      {isOpen ? <People id={id} batch={batch} /> : null}
    </li>
  )
}

function stateOf({
  status,
  line_count: all,
  sent_count: sent,
  failed_count: failed,
}: Batch): string {
  if (status === 'held') {
    return t('Goes to {count} person in a moment | Goes to {count} people in a moment', {
      count: all,
    })
  }
  if (status === 'running') return t('{sent} of {all} sent', { sent, all })
  if (status === 'cancelled') {
    return sent ? t('Stopped: {sent} of {all} sent', { sent, all }) : t('Undone: nothing was sent')
  }
  if (failed || status === 'failed') return t('{sent} of {all} sent', { sent, all })
  return t('Sent to {count} person | Sent to {count} people', { count: sent })
}

function People({ id, batch }: { id: string; batch: Batch }) {
  const { data, error, refetch } = useQuery(batchQuery(id, batch))
  if (error && !data) {
    return <ReadFault small title={t('It could not be read')} error={error} onRetry={refetch} />
  }
  const unseen = data ? data.line_count - data.lines.length : 0
  return (
    <ul>
      {data?.lines.map(({ line, name, email, document_id, failure }) => (
        <li key={line} data-wrong={failure ? true : undefined}>
          <Icon name={document_id ? 'check' : failure ? 'circle-x' : 'circle'} />
          <span className={styles.who}>
            <span>
              {document_id ? (
                <Link to={addressIn({ address: '/documents' }, document_id, 'signatures')}>
                  {name}
                </Link>
              ) : (
                name
              )}
              {email === name ? null : <small>{email}</small>}
            </span>
            {failure ? <em>{failure}</em> : null}
          </span>
        </li>
      ))}
      {unseen ? (
        <li>
          {t(
            '{count} more person whom you may not see | {count} more people whom you may not see',
            { count: unseen },
          )}
        </li>
      ) : null}
    </ul>
  )
}
