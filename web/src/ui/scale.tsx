import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useGroupControl, type ControlProps } from './field.tsx'
import css from './scale.module.css'

/** One of the numbers of a scale, or none; `ends` are the words at its lowest and highest number. */
export function Scale({
  value,
  onChange,
  steps,
  ends: [low, high] = ['', ''],
  ...control
}: ControlProps & {
  value: number | null
  onChange: (value: number) => void
  steps: number[]
  ends?: [low: string, high: string]
}) {
  return (
    <div className={css.scale}>
      <RadioGroup
        {...useGroupControl(control)}
        aria-required={control.required || undefined}
        disabled={control.disabled}
        value={value}
        onValueChange={(next) => onChange(Number(next))}
        className={css.steps}
      >
        {steps.map((step) => (
          <Radio.Root key={step} value={step} aria-label={String(step)} className={css.step}>
            {step}
          </Radio.Root>
        ))}
      </RadioGroup>
      {low || high ? (
        <p className={css.ends}>
          <span>{low}</span>
          <span>{high}</span>
        </p>
      ) : null}
    </div>
  )
}
