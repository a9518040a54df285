import type { Person } from './avatar.tsx'
import { Combobox } from './combobox.tsx'
import type { Option } from './option.tsx'
import type { PickerLook } from './picker.tsx'
import type { Load } from './use-options.ts'
import { t } from '../locales/text.ts'

type One = { multiple?: false; value: Person | null; onChange: (value: Person | null) => void }
type Many = { multiple: true; value: Person[]; onChange: (value: Person[]) => void }

/**
 * One person or several, with their pictures; `search` finds them by name or address, `onInvite` offers to invite whoever
 * is not found.
 */
export function PersonField({
  search,
  onInvite,
  placeholder = t('Choose a person'),
  ...props
}: Omit<PickerLook, 'look' | 'createHint' | 'createLabel'> &
  (One | Many) & { search: Load<Person>; onInvite?: ((address: string) => void) | undefined }) {
  const shared = {
    load: async (query: string, signal: AbortSignal) => (await search(query, signal)).map(optionOf),
    placeholder,
    searchLabel: t('Search people'),
    emptyText: t('Nobody found'),
    look: 'person' as const,
    ...(onInvite
      ? {
          onCreate: onInvite,
          createHint: t('Name, or an address to invite'),
          createLabel: (address: string) => t('Invite “{address}” by mail', { address }),
        }
      : {}),
  }
  if (props.multiple) {
    const { value, onChange, multiple, ...rest } = props
    return (
      <Combobox
        {...rest}
        {...shared}
        multiple={multiple}
        value={value.map(optionOf)}
        onChange={(next) => onChange(next.map(personOf))}
      />
    )
  }
  const { value, onChange, multiple: _, ...rest } = props
  return (
    <Combobox
      {...rest}
      {...shared}
      value={value && optionOf(value)}
      onChange={(next) => onChange(next && personOf(next))}
    />
  )
}

function optionOf({ id, name, image, email }: Person): Option {
  return { value: id, label: name, image: image ?? null, description: email ?? undefined }
}

function personOf({ value, label, image, description }: Option): Person {
  return { id: value, name: label, image, email: description }
}
