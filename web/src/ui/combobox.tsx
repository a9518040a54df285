import { useEffect } from 'react'
import type { Option } from './option.tsx'
import { Picker, type PickerLook } from './picker.tsx'
import { useOptions, type Load } from './use-options.ts'

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
  const { options, busy, fault, search } = useOptions(load)
  const { defaultOpen } = rest
  useEffect(() => {
    if (defaultOpen) search('')
  }, [defaultOpen, search])
  const { value: _, onChange: __, multiple, ...look } = rest
  return (
    <Picker
      {...look}
      multiple={multiple}
      options={options}
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
      status={fault ?? (busy && !options.length ? 'Searching…' : null)}
      searchLabel={searchLabel}
      emptyText={emptyText}
      onCreate={onCreate}
    />
  )
}
