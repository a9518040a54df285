import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import { Icon, type IconName } from './icons.tsx'
import css from './input.module.css'
import { t } from '../locales/text.ts'

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'size' | 'prefix'>

/** One line of text. `onChange` receives the text; `type="search"` gets a button that empties it. */
export function TextField({
  value,
  onChange,
  icon,
  prefix,
  suffix,
  className,
  type = 'text',
  id,
  label,
  disabled,
  required,
  invalid,
  autoFocus,
  ...rest
}: Native &
  ControlProps & {
    value: string
    onChange: (value: string) => void
    icon?: IconName
    /** Fixed text or a control before and after the input, for example `https://`. */
    prefix?: ReactNode
    suffix?: ReactNode
    ref?: Ref<HTMLInputElement>
  }) {
  const control = useControl({ id, label, disabled, required, invalid, autoFocus })
  return (
    <span className={classes(css.box, className)}>
      {icon && <Icon name={icon} />}
      {prefix && <span className={css.affix}>{prefix}</span>}
      <input
        {...rest}
        {...control}
        type={type}
        className={css.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {suffix && <span className={css.affix}>{suffix}</span>}
      {type === 'search' && value && (
        <button
          type="button"
          className={css.clear}
          aria-label={t('Clear search')}
          onClick={() => onChange('')}
        >
          <Icon name="x" size={14} />
        </button>
      )}
    </span>
  )
}
