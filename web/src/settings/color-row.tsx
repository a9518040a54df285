import { useState } from 'react'
import { ColorPicker } from '../ui/color-picker.tsx'
import { SettingRow } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import type { Settings } from './use-settings.ts'
import { t } from '../locales/text.ts'

type Props<T> = { of: Settings<T>; name: keyof T & string; label: string; hint: string }

/** A color: one of the eight, or any as hexadecimal. */
export function ColorRow<T extends object>({ of, name, label, hint }: Props<T>) {
  const stored = (of.values[name] as string | null) ?? null
  const [typed, setTyped] = useState<string>()
  const save = async (color: string | null) => {
    // a refused value stays, to be corrected
    if (
      color === stored ||
      (await of.save({ [name]: color } as Partial<T>, t('{label} saved', { label })))
    ) {
      setTyped(undefined)
    }
  }
  return (
    <SettingRow label={label} hint={hint} error={of.errors[name]}>
      <span className={styles.color}>
        <ColorPicker
          label={label}
          clearable
          value={stored}
          onChange={(color) => void save(color)}
          disabled={of.isReadOnly}
        />
        <TextField
          label={t('{label} as hexadecimal', { label })}
          value={typed ?? stored ?? ''}
          onChange={setTyped}
          placeholder="#14704C"
          disabled={of.isReadOnly}
          onBlur={() => {
            if (typed !== undefined) void save(typed.trim() || null)
          }}
        />
      </span>
    </SettingRow>
  )
}
