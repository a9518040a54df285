import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { CSSProperties } from 'react'
import { classes } from './classes.ts'
import css from './color-picker.module.css'
import { useGroupControl, type ControlProps } from './field.tsx'
import { hueNames, hues } from './hue.ts'
import { Icon } from './icons.tsx'
import { tip } from './tooltip.tsx'
import { t } from '../locales/text.ts'

/** One of the eight hues as hexadecimal, or with `clearable` null for the hue of the name. */
export function ColorPicker({
  value,
  onChange,
  clearable = false,
  ...control
}: ControlProps & {
  value: string | null
  onChange: (color: string | null) => void
  clearable?: boolean
}) {
  const choices: { color: string; name: string }[] = hues.map((color, i) => ({
    color,
    name: hueNames[i] ?? color,
  }))
  // a color set elsewhere stays one of the choices
  if (value && !choices.some((each) => each.color === value.toLowerCase())) {
    choices.push({ color: value, name: value })
  }
  return (
    <RadioGroup
      {...useGroupControl(control)}
      disabled={control.disabled}
      value={value?.toLowerCase() ?? ''}
      onValueChange={(next) => onChange(next || null)}
      className={css.colors}
    >
      {choices.map(({ color, name }) => (
        <Radio.Root
          key={color}
          value={color.toLowerCase()}
          className={css.color}
          style={{ '--hue': color } as CSSProperties}
          aria-label={name}
          {...tip(name)}
        >
          <Radio.Indicator className={css.mark}>
            <Icon name="check" size={12} />
          </Radio.Indicator>
        </Radio.Root>
      ))}
      {clearable && (
        <Radio.Root
          value=""
          className={classes(css.color, css.none)}
          aria-label={t('By its name')}
          {...tip(t('By its name'))}
        >
          <Radio.Indicator className={css.mark}>
            <Icon name="check" size={12} />
          </Radio.Indicator>
        </Radio.Root>
      )}
    </RadioGroup>
  )
}
