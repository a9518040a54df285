import { useEffect } from 'react'
import { holdsTyped } from './holds.ts'
import type { Option } from './option.tsx'
import { Picker, type PickerLook } from './picker.tsx'
import { useOptions, type Load } from './use-options.ts'
import { t } from '../locales/text.ts'

type One = { multiple?: false; value: Option | null; onChange: (value: Option | null) => void }
type Many = { multiple: true; value: Option[]; onChange: (value: Option[]) => void }

/**
 * One or several things that a search finds, for references to records. `load` gets the query (empty at
 * first) and a signal; `onCreate` offers to create what was not found.
 */
export function Combobox({
  load,
  onCreate,
  searchLabel,
  emptyText,
  onOpenChange,
  ...rest
}: PickerLook &
  (One | Many) & {
    load: Load<Option>
    onCreate?: (name: string) => void
    searchLabel?: string
    emptyText?: string
  }) {
  const { options, query, busy, fault, search } = useOptions(load)
  // what was found for an earlier query is not chosen by Enter unless it holds this one
  const shown = busy
    ? options.filter(({ label, description = '' }) => holdsTyped(`${label} ${description}`, query))
    : options
  const { defaultOpen } = rest
  useEffect(() => {
    if (defaultOpen) search('')
  }, [defaultOpen, search])
  const { value: _, onChange: __, multiple, ...look } = rest
  return (
    <Picker
      {...look}
      multiple={multiple}
      options={shown}
      filtered
      selected={rest.multiple ? rest.value : rest.value ? [rest.value] : []}
      onSelect={(next) => {
        if (rest.multiple) rest.onChange(next)
        else rest.onChange(next[0] ?? null)
      }}
      onQuery={search}
      onOpenChange={(open) => {
        if (open) search('')
        onOpenChange?.(open)
      }}
      status={fault ?? (busy && !shown.length ? t('Searching…') : null)}
      searchLabel={searchLabel}
      emptyText={emptyText}
      onCreate={onCreate}
    />
  )
}
