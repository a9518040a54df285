import type { ReactNode } from 'react'
import { useState } from 'react'
import { Choice } from '../ui/choice.tsx'
import { NumberField } from '../ui/number-field.tsx'
import type { Option } from '../ui/option.tsx'
import { SettingRow } from '../ui/setting.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useStateFor } from '../ui/use-state-for.ts'
import type { Settings } from './use-settings.ts'
import { t } from '../locales/text.ts'

type Row<T> = { of: Settings<T>; name: keyof T & string; label: string; hint?: ReactNode }

/** Text that is saved when its field is left, or by Enter; Escape reverts it. */
export function TextRow<T extends object>({
  of,
  name,
  label,
  hint,
  placeholder,
  lines,
  isRequired,
  type = 'text',
}: Row<T> & {
  placeholder?: string
  lines?: number
  isRequired?: boolean
  type?: 'text' | 'email' | 'tel'
}) {
  const stored = (of.values[name] as string | null) ?? ''
  const [typed, setTyped] = useState<string>()
  const value = typed ?? stored
  const leave = async () => {
    const next = value.trim()
    // a refused value stays, to be corrected
    if (
      next === stored ||
      (await of.save(
        { [name]: next === '' && !isRequired ? null : next } as Partial<T>,
        t('{label} saved', { label }),
      ))
    ) {
      setTyped(undefined)
    }
  }
  const shared = {
    value,
    onChange: setTyped,
    onBlur: () => void leave(),
    disabled: of.isReadOnly,
    ...(placeholder ? { placeholder } : {}),
  }
  return (
    <SettingRow label={label} hint={hint} error={of.errors[name]}>
      {lines ? (
        <TextArea {...shared} rows={lines} />
      ) : (
        <TextField
          {...shared}
          type={type}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void leave()
            if (event.key === 'Escape') setTyped(undefined)
          }}
        />
      )}
    </SettingRow>
  )
}

/** A whole number that is saved when its field is left. */
export function NumberRow<T extends object>({
  of,
  name,
  label,
  hint,
  min = 0,
  max,
}: Row<T> & { min?: number; max: number }) {
  const stored = of.values[name] as number
  const [typed, setTyped] = useStateFor<number | null>(stored)
  return (
    <SettingRow label={label} hint={hint} error={of.errors[name]}>
      <NumberField
        integer
        min={min}
        max={max}
        value={typed}
        disabled={of.isReadOnly}
        onChange={setTyped}
        onBlur={() => {
          if (typed === null) setTyped(stored)
          else if (typed !== stored)
            void of.save({ [name]: typed } as Partial<T>, t('{label} saved', { label }))
        }}
      />
    </SettingRow>
  )
}

/** One of several, saved at once. */
export function ChoiceRow<T extends object>({
  of,
  name,
  label,
  hint,
  options,
  placeholder,
  clearable,
  asNumber,
}: Row<T> & {
  options: Option[]
  placeholder?: string
  clearable?: boolean
  /** the API takes a number */
  asNumber?: boolean
}) {
  const stored = of.values[name]
  return (
    <SettingRow label={label} hint={hint} error={of.errors[name]}>
      <Choice
        value={stored === null || stored === undefined ? null : String(stored)}
        onChange={(value) => {
          const next = value !== null && asNumber ? Number(value) : value
          if (next !== stored && (next !== null || clearable)) {
            void of.save({ [name]: next } as Partial<T>, t('{label} saved', { label }))
          }
        }}
        options={options}
        disabled={of.isReadOnly}
        {...(clearable ? { clearable } : {})}
        {...(placeholder ? { placeholder } : {})}
      />
    </SettingRow>
  )
}

/** On or off, saved at once. */
export function SwitchRow<T extends object>({ of, name, label, hint }: Row<T>) {
  return (
    <SettingRow label={label} hint={hint} error={of.errors[name]}>
      <Switch
        checked={of.values[name] === true}
        disabled={of.isReadOnly}
        onChange={(checked) =>
          void of.save(
            { [name]: checked } as Partial<T>,
            checked ? t('{label}: on', { label }) : t('{label}: off', { label }),
          )
        }
      />
    </SettingRow>
  )
}
