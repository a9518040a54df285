import { useQuery } from '@tanstack/react-query'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { personQuery } from '../../data/templates.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { PersonField } from '../../ui/person-field.tsx'
import { searchLinked, searchPeople } from './choices.ts'
import { t } from '../../locales/text.ts'

type Props = {
  id: string | null
  className?: string | undefined
  onChange: (id: string | null) => void
}

/** Whose numbers are shown, of all people; the id of the person is in the address. */
export function PersonFilter({
  id,
  className,
  label = t('Person'),
  placeholder = t('Person: all'),
  onChange,
}: Props & { label?: string; placeholder?: string }) {
  const { data } = useQuery(personQuery(id))
  return (
    <PersonField
      label={label}
      className={className}
      placeholder={placeholder}
      clearable
      value={id === null ? null : (data ?? { id, name: '…' })}
      search={searchPeople}
      onChange={(person) => onChange(person?.id ?? null)}
    />
  )
}

type LinkProps = Props & {
  /** the field whose records can be chosen, such as the project of tasks */
  of: { module: string; field: string; to: string }
  /** what one is called, and several are */
  words: readonly [one: string, many: string]
}

/** Of which record numbers are shown, by a field that names it. */
export function LinkFilter({ id, of, words: [one, many], className, onChange }: LinkProps) {
  const { data: module } = useQuery(moduleQuery(of.module))
  const field = module && fieldOf(module, of.field)
  const reference = field?.reference
  const { data } = useQuery({
    ...recordQuery({ module: of.to, path: reference?.path ?? '' }, id ?? ''),
    enabled: id !== null && Boolean(reference?.path),
    retry: false,
  })
  if (!field || !reference) return null
  const title = data ? titleOf({ title_field: reference.title_field }, data) : '…'
  return (
    <Combobox
      label={one}
      className={className}
      placeholder={t('{one}: all', { one })}
      clearable
      searchLabel={t('Search {many}', { many })}
      emptyText={t('Nothing found')}
      value={id === null ? null : { value: id, label: title }}
      load={searchLinked(field)}
      onChange={(option) => onChange(option?.value ?? null)}
    />
  )
}
