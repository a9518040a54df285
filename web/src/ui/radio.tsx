import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import css from './checkbox.module.css'
import { useGroupControl, type ControlProps } from './field.tsx'
import type { Option } from './option.tsx'

/** One of a few options, all of which are visible. */
export function RadioGroup({
  value,
  onChange,
  options,
  ...control
}: ControlProps & {
  value: string | null
  onChange: (value: string) => void
  options: Option[]
}) {
  return (
    <Base
      {...useGroupControl(control)}
      aria-required={control.required || undefined}
      disabled={control.disabled}
      value={value}
      onValueChange={(next) => onChange(String(next))}
      className={css.group}
    >
      {options.map((option) => (
        <label key={option.value} className={css.row}>
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
