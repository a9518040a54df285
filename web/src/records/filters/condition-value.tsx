import type { Field } from '../../data/modules.ts'
import { day, number } from '../field/format.ts'
import { NameOf, personById } from '../field/name-of.tsx'
import { optionIn } from '../field/option.ts'
import { useFormat } from '../field/use-format.ts'
import styles from './condition-value.module.css'
import { t } from '../../locales/text.ts'

/** The value of a condition for display: names for ids, labels for options. */
export function ConditionValue({ field, value }: { field: Field; value: unknown }) {
  const values: unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null || value === ''
      ? []
      : [value]
  if (!values.length) return <span className={styles.none}>…</span>
  const shown = values.slice(0, 2)
  return (
    <span className={styles.value}>
      {shown.map((each, at) => (
        <span key={String(each)}>
          {at ? ', ' : ''}
          <One field={field} value={each} />
        </span>
      ))}
      {values.length > shown.length
        ? ` ${t('and {count} more', { count: values.length - shown.length })}`
        : ''}
    </span>
  )
}

function One({ field, value }: { field: Field; value: unknown }) {
  const format = useFormat()
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (value === 'me') return t('me')
  if (field.type === 'user') return <NameOf {...personById(String(value))} />
  if (field.type === 'reference')
    return (
      <NameOf
        path={field.reference?.path}
        title={field.reference?.title_field}
        id={String(value)}
      />
    )
  if (/^\d{4}-\d\d-\d\d/.test(String(value))) return day(String(value), format)
  if (typeof value === 'number' && !field.options.length) return number(value, format)
  return optionIn(field, value)?.label ?? String(value)
}
