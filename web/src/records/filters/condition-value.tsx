import { useQuery } from '@tanstack/react-query'
import { request } from '../../api/request.ts'
import type { Field } from '../../data/modules.ts'
import type { Record } from '../../data/record.ts'
import { day } from '../field/format.ts'
import { optionIn } from '../field/option.ts'
import { useFormat } from '../field/use-format.ts'
import styles from './condition-value.module.css'

/** The value of a condition as people read it: names for ids, labels for options. */
export function ConditionValue({ field, value }: { field: Field; value: unknown }) {
  const values = Array.isArray(value)
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
      {values.length > shown.length ? ` and ${values.length - shown.length} more` : ''}
    </span>
  )
}

function One({ field, value }: { field: Field; value: unknown }) {
  const format = useFormat()
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === 'me') return 'me'
  if (field.type === 'user' || field.type === 'reference')
    return <Named field={field} id={String(value)} />
  if (/^\d{4}-\d\d-\d\d/.test(String(value))) return day(String(value), format)
  return optionIn(field, value)?.label ?? String(value)
}

/** The name of a person or record that a condition names by its id. */
function Named({ field, id }: { field: Field; id: string }) {
  const path = field.type === 'user' ? '/api/users/profile/' : field.reference?.path
  const title = field.type === 'user' ? 'full_name' : (field.reference?.title_field ?? 'name')
  const isId = /^[0-9a-z]{25}$/.test(id)
  const { data } = useQuery({
    queryKey: ['name', path, id],
    queryFn: async () => (await request<Record>('GET', `${path}${encodeURIComponent(id)}/`)).data,
    enabled: isId && Boolean(path),
    staleTime: 300_000,
  })
  return isId ? String(data?.[title] ?? '…') : id
}
