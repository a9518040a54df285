import type { Import } from '../data/imports.ts'
import type { Module } from '../data/modules.ts'
import { countWords } from '../data/session.ts'
import styles from './import.module.css'
import { t } from '../locales/text.ts'

/** The results of the rows that were tried. */
export function Trial({
  found,
  module,
  isBusy,
}: {
  found: Import
  module: Module
  isBusy: boolean
}) {
  const { checked, total } = found
  if (!checked) return null
  const { rows, created, updated, skipped, failed, cell_errors } = checked
  const records = module.word.many
  const numbers: [count: number, words: string, tone?: 'bad' | 'warn'][] = [
    [created, t('{records} would be created', { records })],
    [updated, t('{records} would be updated', { records })],
    [skipped, t('exist already and stay')],
    [failed, t('cannot be imported'), 'bad'],
  ]
  return (
    <section className={styles.trial} aria-busy={isBusy} aria-live="polite">
      <h2>{t('Trial run')}</h2>
      <p className={styles.hint}>
        {rows < total
          ? t('The first {tried} of {total} rows were tried, and nothing was written.', {
              tried: countWords(rows),
              total: countWords(total),
            })
          : t(
              '1 row was tried, and nothing was written. | All {total} rows were tried, and nothing was written.',
              { count: total, total: countWords(total) },
            )}
      </p>
      <dl>
        {numbers
          .filter(([count], at) => count > 0 || at === 0)
          .map(([count, words, tone]) => (
            <div key={words} data-tone={tone}>
              <dt>{words}</dt>
              <dd>{countWords(count)}</dd>
            </div>
          ))}
        {cell_errors ? (
          <div data-tone="warn">
            <dt>{t('cells would stay empty')}</dt>
            <dd>{countWords(cell_errors)}</dd>
          </div>
        ) : null}
      </dl>
    </section>
  )
}
