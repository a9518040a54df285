import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'
import css from './checkbox.module.css'
import { classes } from './classes.ts'
import { useGroupControl, type ControlProps } from './field.tsx'
import type { Option } from './option.tsx'

/** One of a few options, all of which are visible; with `picture` each is a card with a drawing of it above its words. */
export function RadioGroup({
  value,
  onChange,
  options,
  picture,
  ...control
}: ControlProps & {
  value: string | null
  onChange: (value: string) => void
  options: Option[]
  picture?: (value: string) => ReactNode
}) {
  return (
    <Base
      {...useGroupControl(control)}
      aria-required={control.required || undefined}
      disabled={control.disabled}
      value={value}
      onValueChange={(next) => onChange(String(next))}
      className={picture ? css.cards : css.group}
    >
      {options.map((option) => (
        <label key={option.value} className={classes(css.row, picture && css.card)}>
          {picture ? (
            <span className={css.picture} aria-hidden="true">
              {picture(option.value)}
            </span>
          ) : null}
          <Radio.Root value={option.value} disabled={option.disabled} className={css.dot}>
            <Radio.Indicator className={css.pip} />
          </Radio.Root>
          <span>
            {option.label}
            {option.description && <span className={css.hint}>{option.description}</span>}
          </span>
        </label>
      ))}
    </Base>
  )
}
