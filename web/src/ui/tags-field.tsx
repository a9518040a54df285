import type { Option } from './option.tsx'
import { Picker, type PickerLook } from './picker.tsx'
import { t } from '../locales/text.ts'

/**
 * Several existing tags; with `creatable` also new ones, whose value is their text. If tags
 * have ids, `onCreate` creates one and returns its option.
 */
export function TagsField({
  value,
  onChange,
  options,
  creatable = false,
  onCreate,
  placeholder = t('Add tags'),
  ...rest
}: Omit<PickerLook, 'look'> & {
  value: string[]
  onChange: (value: string[]) => void
  options: Option[]
  creatable?: boolean
  onCreate?: (name: string) => Promise<Option>
}) {
  const selected = value.map(
    (each) => options.find((option) => option.value === each) ?? { value: each, label: each },
  )
  const create = async (name: string) => {
    const option = onCreate ? await onCreate(name) : { value: name, label: name }
    onChange([...value, option.value])
  }
  return (
    <Picker
      {...rest}
      multiple
      look="tag"
      placeholder={placeholder}
      options={options}
      selected={selected}
      onSelect={(next) => onChange(next.map((option) => option.value))}
      searchLabel={t('Search tags')}
      onCreate={creatable || onCreate ? (name) => void create(name) : undefined}
    />
  )
}
