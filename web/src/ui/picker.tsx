import { Combobox } from '@base-ui/react/combobox'
import { useState, type ReactNode } from 'react'
import css from './choice.module.css'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import { holdsTyped, isSameName } from './holds.ts'
import { Icon } from './icons.tsx'
import {
  grouped,
  OptionSign,
  OptionValue,
  OptionWords,
  type Option,
  type OptionLook,
} from './option.tsx'
import popup from './popup.module.css'
import { t } from '../locales/text.ts'

/** The props of every field with a popup, besides its value. */
export type PickerLook = ControlProps & {
  placeholder?: string
  look?: OptionLook
  /** what the search says where `onCreate` is offered, and what its button is called */
  createHint?: string
  createLabel?: (name: string) => string
  /** Offers to choose nothing. */
  clearable?: boolean
  /** Opens at once, for editing in place. */
  defaultOpen?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/**
 * A field whose popup has a search and a list, from which Choice, Combobox, TagsField and PersonField are
 * made. `filtered` means that `options` are already filtered by the query.
 */
export function Picker({
  options,
  selected,
  onSelect,
  multiple = false,
  filtered = false,
  onQuery,
  status,
  searchLabel = t('Search'),
  emptyText = t('Nothing found'),
  onCreate,
  createHint = t('Search or create'),
  createLabel = (name) => t('Create “{name}”', { name }),
  placeholder = t('Choose'),
  look = 'plain',
  clearable = false,
  defaultOpen,
  onOpenChange,
  className,
  ...control
}: PickerLook & {
  options: Option[]
  selected: Option[]
  onSelect: (selected: Option[]) => void
  multiple?: boolean
  filtered?: boolean
  onQuery?: (query: string) => void
  /** Says that options are loading, or why they could not be loaded. */
  status?: ReactNode
  searchLabel?: string
  emptyText?: string
  /** Offers to create what was searched and not found. */
  onCreate?: (name: string) => void
}) {
  const attributes = useControl(control)
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(defaultOpen ?? false)
  const name = query.trim()
  const isNew =
    name !== '' && ![...options, ...selected].some((each) => isSameName(each.label, name))
  const change = (next: boolean) => {
    setOpen(next)
    onOpenChange?.(next)
  }
  const create = () => {
    onCreate?.(name)
    setQuery('')
    onQuery?.('')
    if (!multiple) change(false)
  }
  const shared = {
    items: grouped(options) ?? options,
    filter: filtered ? null : (option: Option, typed: string) => holdsTyped(option.label, typed),
    inputValue: query,
    onInputValueChange: (text: string) => {
      setQuery(text)
      onQuery?.(text)
    },
    open,
    onOpenChange: change,
    isItemEqualToValue: (a: Option, b: Option) => a.value === b.value,
    itemToStringLabel: (option: Option) => option.label,
    itemToStringValue: (option: Option) => option.value,
    autoHighlight: true,
    disabled: control.disabled,
  }
  const inside = (
    <>
      <Combobox.Trigger
        {...attributes}
        aria-required={undefined}
        className={classes(css.trigger, className)}
      >
        <span className={css.value}>
          {selected.length ? (
            selected.map((option) => (
              <OptionValue
                key={option.value}
                option={option}
                look={multiple && look === 'plain' ? 'tag' : look}
              />
            ))
          ) : (
            <span className={css.placeholder}>{placeholder}</span>
          )}
        </span>
        <Icon name="chevron-down" size={14} />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className={popup.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={popup.popup} aria-label={control.label ?? searchLabel}>
            <div className={popup.search}>
              <Icon name="search" size={14} />
              <Combobox.Input
                placeholder={onCreate ? createHint : searchLabel}
                aria-label={searchLabel}
                onKeyDown={(event) => {
                  if (
                    event.key !== 'Enter' ||
                    !onCreate ||
                    !isNew ||
                    hasMatch(options, name, filtered)
                  )
                    return
                  event.preventDefault()
                  create()
                }}
              />
            </div>
            <Combobox.Status className={popup.note}>{status}</Combobox.Status>
            {!status && !onCreate && (
              <Combobox.Empty className={popup.note}>{emptyText}</Combobox.Empty>
            )}
            <Combobox.List className={popup.list}>
              {(item: Option | { value: string; items: Option[] }) =>
                'items' in item ? (
                  <Combobox.Group key={item.value} items={item.items}>
                    {item.value && (
                      <Combobox.GroupLabel className={popup.group}>
                        {item.value}
                      </Combobox.GroupLabel>
                    )}
                    <Combobox.Collection>
                      {(option: Option) => <Item key={option.value} option={option} look={look} />}
                    </Combobox.Collection>
                  </Combobox.Group>
                ) : (
                  <Item key={item.value} option={item} look={look} />
                )
              }
            </Combobox.List>
            {((onCreate && isNew) || (clearable && selected.length > 0)) && (
              <div className={popup.foot}>
                {onCreate && isNew && (
                  <button type="button" className={popup.item} onClick={create}>
                    <Icon name="plus" />
                    <span className={popup.label}>{createLabel(name)}</span>
                  </button>
                )}
                {clearable && selected.length > 0 && (
                  <button
                    type="button"
                    className={popup.item}
                    onClick={() => {
                      onSelect([])
                      change(false)
                    }}
                  >
                    <Icon name="x" />
                    {t('Clear')}
                  </button>
                )}
              </div>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </>
  )
  return multiple ? (
    <Combobox.Root {...shared} multiple value={selected} onValueChange={onSelect}>
      {inside}
    </Combobox.Root>
  ) : (
    <Combobox.Root
      {...shared}
      value={selected[0] ?? null}
      onValueChange={(option: Option | null) => onSelect(option ? [option] : [])}
    >
      {inside}
    </Combobox.Root>
  )
}

function Item({ option, look }: { option: Option; look: OptionLook }) {
  return (
    <Combobox.Item value={option} disabled={option.disabled} className={popup.item}>
      <OptionSign option={option} look={look} />
      <OptionWords option={option} />
      <span className={popup.check}>
        <Combobox.ItemIndicator>
          <Icon name="check" size={14} />
        </Combobox.ItemIndicator>
      </span>
    </Combobox.Item>
  )
}

function hasMatch(options: Option[], name: string, filtered: boolean): boolean {
  if (filtered) return options.length > 0
  return options.some((option) => holdsTyped(option.label, name))
}
