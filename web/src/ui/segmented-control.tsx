import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { classes } from './classes.ts'
import { useGroupControl, type ControlProps } from './field.tsx'
import { Icon } from './icons.tsx'
import type { Option } from './option.tsx'
import css from './segmented-control.module.css'
import { tip } from './tooltip.tsx'

/** One of two to five views of the same thing; with `iconsOnly` the words are tooltips. */
export function SegmentedControl<T extends string>({
  value,
  onChange,
  options,
  iconsOnly = false,
  ...control
}: ControlProps & {
  value: T
  onChange: (value: T) => void
  options: (Option & { value: T })[]
  iconsOnly?: boolean
}) {
  return (
    <RadioGroup
      {...useGroupControl(control)}
      disabled={control.disabled}
      value={value}
      onValueChange={onChange}
      className={css.group}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={classes(css.segment, iconsOnly && css.alone)}
          {...(iconsOnly ? { 'aria-label': option.label, ...tip(option.label) } : {})}
        >
          {option.icon && <Icon name={option.icon} />}
          {!iconsOnly && option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
