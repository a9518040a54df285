import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

/** A color of the page, or the usual one; text on it is always readable, because the page chooses it. */
export function ColorField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | null
  onChange: (next: string | null) => void
}) {
  return (
    <Field label={label}>
      <span className={styles.color}>
        <input
          type="color"
          aria-label={label}
          value={/^#[0-9a-f]{6}$/i.test(value ?? '') ? (value ?? '') : '#14704c'}
          onChange={(event) => onChange(event.target.value)}
        />
        <span>{value ?? t('The usual one')}</span>
        {value === null ? null : (
          <Button size="small" variant="quiet" onClick={() => onChange(null)}>
            {t('Take the usual one')}
          </Button>
        )}
      </span>
    </Field>
  )
}
