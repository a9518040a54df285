import type { Import } from '../data/imports.ts'
import { countWords } from '../data/session.ts'
import { capital } from '../ui/capital.ts'
import { t } from '../locales/text.ts'

type Status = { label: string; color: string }

/** The state of an import, as a label and a tone. */
export function statusOf({ status, options, failed }: Import): Status {
  switch (status) {
    case 'uploaded':
      return { label: t('Not started'), color: 'var(--faint)' }
    case 'running':
      return { label: t('Running'), color: 'var(--info)' }
    case 'completed':
      if (options.dry_run) return { label: t('Checked'), color: 'var(--info)' }
      return failed
        ? { label: t('Done, with errors'), color: 'var(--warn)' }
        : { label: t('Done'), color: 'var(--accent)' }
    case 'failed':
      return { label: t('Failed'), color: 'var(--bad)' }
    case 'cancelled':
      return { label: t('Stopped'), color: 'var(--warn)' }
    case 'undoing':
      return { label: t('Being undone'), color: 'var(--info)' }
    case 'undone':
      return { label: t('Undone'), color: 'var(--faint)' }
  }
}

/** "1 row", "20 rows". */
export function rowsOf(count: number): string {
  return t('{number} row | {number} rows', { number: countWords(count), count })
}

/** The label of a target without a field of that name: `company.domain` becomes "Company · domain". */
export function targetWords(target: string): string {
  const words = target
    .split('.')
    .map((part) => part.replace(/_id$/, '').replaceAll('_', ' '))
    .join(' · ')
  return capital(words)
}

/** The name of a column; those of a vCard or iCalendar file, which has no header, are called as the fields they fill. */
export function columnWords({ reading }: Import, column: string): string {
  if (reading.type !== 'vcard' && reading.type !== 'icalendar') return column
  return targetWords(column.replace('custom_fields.', ''))
}

/** What the button starts: "Create 4, leave 2" once every row was tried, else the number of rows. */
export function startWords({ checked, total, options }: Import): string {
  const all = t('Import {number} row | Import {number} rows', {
    number: countWords(total),
    count: total,
  })
  if (!checked || checked.rows < total) return all
  const { created, updated, skipped, failed } = checked
  const left = skipped + failed
  // where all rows are imported or none, nothing is left
  if (options.all_or_nothing && failed) return all
  const parts = [
    created ? t('create {number}', { number: countWords(created) }) : null,
    updated ? t('update {number}', { number: countWords(updated) }) : null,
    left ? t('leave {number}', { number: countWords(left) }) : null,
  ]
  return capital(parts.filter((part) => part !== null).join(', '))
}
