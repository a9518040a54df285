import { Select } from '@base-ui/react/select'
import css from './choice.module.css'
import { classes } from './classes.ts'
import { useControl } from './field.tsx'
import { Icon } from './icons.tsx'
import { grouped, OptionSign, OptionValue, OptionWords, type Option } from './option.tsx'
import { Picker, type PickerLook } from './picker.tsx'
import popup from './popup.module.css'
import { t } from '../locales/text.ts'

type One = { multiple?: false; value: string | null; onChange: (value: string | null) => void }
type Many = { multiple: true; value: string[]; onChange: (value: string[]) => void }

/** The maximum number of options without a search. */
const searchFrom = 7

/**
 * One or several of a list of options. Up to six are a select, more have a search in the popup. A value
 * without an option is shown as it is.
 */
export function Choice(props: PickerLook & (One | Many) & { options: Option[] }) {
  const chosen = props.multiple ? props.value : props.value === null ? [] : [props.value]
  const selected = chosen.map(
    (value) => props.options.find((option) => option.value === value) ?? { value, label: value },
  )
  const choose = (next: Option[]) => {
    if (props.multiple) props.onChange(next.map((option) => option.value))
    else props.onChange(next[0]?.value ?? null)
  }
  if (props.multiple || props.options.length >= searchFrom) {
    const { value: _, onChange: __, multiple, ...rest } = props
    return <Picker {...rest} multiple={multiple} selected={selected} onSelect={choose} />
  }
  return <Short {...props} selected={selected[0] ?? null} onSelect={choose} />
}

function Short({
  options,
  selected,
  onSelect,
  placeholder = t('Choose'),
  look = 'plain',
  clearable = false,
  defaultOpen,
  onOpenChange,
  className,
  id,
  label,
  disabled,
  required,
  invalid,
  autoFocus,
}: PickerLook & {
  options: Option[]
  selected: Option | null
  onSelect: (selected: Option[]) => void
}) {
  const attributes = useControl({ id, label, disabled, required, invalid, autoFocus })
  const groups = grouped(options)
  const item = (option: Option) => (
    <Select.Item
      key={option.value}
      value={option}
      label={option.label}
      disabled={option.disabled}
      className={popup.item}
    >
      <OptionSign option={option} look={look} />
      <Select.ItemText className={popup.words} render={<span />}>
        <OptionWords option={option} />
      </Select.ItemText>
      <span className={popup.check}>
        <Select.ItemIndicator>
          <Icon name="check" size={14} />
        </Select.ItemIndicator>
      </span>
    </Select.Item>
  )
  return (
    <Select.Root
      value={selected}
      onValueChange={(option: Option | null) => onSelect(option ? [option] : [])}
      isItemEqualToValue={(a: Option, b: Option) => a?.value === b?.value}
      itemToStringLabel={(option: Option) => option.label}
      defaultOpen={defaultOpen}
      onOpenChange={onOpenChange}
      disabled={disabled}
      modal={false}
    >
      <Select.Trigger
        {...attributes}
        aria-required={undefined}
        className={classes(css.trigger, className)}
      >
        <span className={css.value}>
          {selected ? (
            <OptionValue option={selected} look={look} />
          ) : (
            <span className={css.placeholder}>{placeholder}</span>
          )}
        </span>
        <Icon name="chevron-down" size={14} />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner
          className={popup.positioner}
          sideOffset={4}
          align="start"
          alignItemWithTrigger={false}
        >
          <Select.Popup className={popup.popup}>
            <Select.List className={popup.list}>
              {groups
                ? groups.map((group) => (
                    <Select.Group key={group.value}>
                      {group.value && (
                        <Select.GroupLabel className={popup.group}>{group.value}</Select.GroupLabel>
                      )}
                      {group.items.map(item)}
                    </Select.Group>
                  ))
                : options.map(item)}
              {clearable && selected && (
                <Select.Item value={null} label={t('Clear')} className={popup.item}>
                  <Icon name="x" />
                  <Select.ItemText>{t('Clear')}</Select.ItemText>
                </Select.Item>
              )}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  )
}
