import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import type { Import } from '../data/imports.ts'
import { importErrorsQuery, isAtWork, moveImport } from '../data/imports.ts'
import type { Module } from '../data/modules.ts'
import { countWords } from '../data/session.ts'
import { useScreensOf } from '../records/screens.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Progress } from '../ui/progress.tsx'
import { Status } from '../ui/status.tsx'
import look from '../ui/table.module.css'
import styles from './import.module.css'
import { columnWords, rowsOf, statusOf } from './words.ts'
import { t } from '../locales/text.ts'

/** The progress of an import, and the results of its rows. */
export function ImportResult({ found, module }: { found: Import; module: Module }) {
  const { import_id: id, status } = found
  const screens = useScreensOf(module.module)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const atWork = isAtWork(found)
  const { label, color } = statusOf(found)
  const hasErrors = found.failed > 0 || found.cell_errors > 0 || found.skipped > 0 || found.kept > 0
  const canUndo =
    ['completed', 'failed', 'cancelled'].includes(status) &&
    !found.options.dry_run &&
    found.created + found.updated > 0
  const move = (to: 'cancel' | 'undo') => {
    setAsking(false)
    setBusy(true)
    void moveImport(id, to)
      .catch(notifyRefusal)
      .finally(() => setBusy(false))
  }
  const numbers: [label: string, count: number, tone?: string][] = [
    [t('Created'), found.created],
    [t('Updated'), found.updated],
    [t('Left as they were'), found.skipped],
    [t('Not imported'), found.failed, 'bad'],
    [t('Cells left empty'), found.cell_errors, 'warn'],
    ...(found.undone || found.kept
      ? ([
          [t('Undone'), found.undone],
          [t('Kept, as changed since'), found.kept],
        ] as [string, number][])
      : []),
  ]
  return (
    <div className={styles.narrow}>
      <p className={styles.file}>
        <strong>{found.file_name}</strong>
        <span role="status">
          <Status color={color}>{label}</Status>
        </span>
      </p>
      {atWork ? (
        <Progress
          label={status === 'undoing' ? t('Rows undone') : t('Rows read')}
          value={status === 'undoing' ? found.undone + found.kept : found.done}
          max={status === 'undoing' ? found.created + found.updated : found.total}
          text={
            status === 'undoing'
              ? rowsOf(found.undone + found.kept)
              : t('{done} of {total} row | {done} of {total} rows', {
                  done: countWords(found.done),
                  total: countWords(found.total),
                  count: found.total,
                })
          }
        />
      ) : null}
      {found.error ? (
        <Banner kind="bad" boxed>
          {found.error}
        </Banner>
      ) : null}
      <dl className={styles.numbers}>
        {numbers.map(([words, count, tone]) => (
          <div key={words} data-tone={count ? tone : undefined}>
            <dt>{words}</dt>
            <dd>{countWords(count)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        {screens && !atWork ? (
          <ButtonLink
            variant="primary"
            render={<Link to={screens.address} search={{ sort: '-creation_time', as: 'table' }} />}
          >
            {t('Show {many}', { many: module.word.many })}
          </ButtonLink>
        ) : null}
        {status === 'running' ? (
          <Button icon="x" busy={isBusy} onClick={() => move('cancel')}>
            {t('Stop the import')}
          </Button>
        ) : null}
        {canUndo ? (
          <Button icon="undo" busy={isBusy} onClick={() => setAsking(true)}>
            {t('Undo the import')}
          </Button>
        ) : null}
      </div>
      {hasErrors && !atWork ? <Errors found={found} /> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('Undo the import?')}
        confirm={t('Undo the import')}
        onConfirm={() => move('undo')}
      >
        {t(
          'What it created is deleted, and what it updated gets its former values back. Records that were changed since stay as they are.',
        )}
      </ConfirmDialog>
    </div>
  )
}

function Errors({ found }: { found: Import }) {
  const id = found.import_id
  const { data = [] } = useQuery(importErrorsQuery(id))
  if (!data.length) return null
  return (
    <section className={styles.section}>
      <header>
        <h2>{t('What was not imported')}</h2>
        <ButtonLink size="small" icon="download" href={`/api/imports/${id}/errors/export/`}>
          {t('Download the rows')}
        </ButtonLink>
      </header>
      <p className={styles.hint}>
        {t(
          'Correct them in the downloaded file, which has the reason beside each row, and import it.',
        )}
      </p>
      <ul className={`${styles.errors} ${look.lines}`}>
        {data.map(({ line, phase, reason, errors }, at) => (
          <li key={`${line} ${phase} ${at}`}>
            <span className={styles.lineNumber}>{t('Line {line}', { line })}</span>
            <span>
              {errors.length
                ? errors.map(({ column, field, value, message }) => (
                    <span key={`${column ?? field} ${message}`} className={styles.reason}>
                      {column ? <strong>{columnWords(found, column)}</strong> : null}{' '}
                      {value ? <q>{value}</q> : null} {message}
                    </span>
                  ))
                : reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
