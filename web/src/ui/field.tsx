import { createContext, use, useId, type ReactNode } from 'react'
import { capital } from './capital.ts'
import { classes } from './classes.ts'
import css from './field.module.css'
import { Icon } from './icons.tsx'
import { t } from '../locales/text.ts'

/** What every control takes. Outside of a `Field` a control needs `label`, which is not shown. */
export type ControlProps = {
  id?: string
  label?: string
  disabled?: boolean
  required?: boolean
  invalid?: boolean
  autoFocus?: boolean
}

type Surrounding = {
  id: string
  labelId: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const Surroundings = createContext<Surrounding | null>(null)

/** A label above a control, with a hint and an error below, tied to the control by ARIA. */
export function Field({
  label,
  hint,
  error,
  required = false,
  optional = false,
  hideLabel = false,
  row = false,
  className,
  wordsClass,
  controlClass,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  /** Beside each other: the words in an element of `wordsClass`, the control in one of `controlClass`. */
  row?: boolean
  wordsClass?: string
  controlClass?: string
  /** Says "optional" beside the label, for forms in which most is required. */
  optional?: boolean
  hideLabel?: boolean
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const surrounding: Surrounding = {
    id,
    labelId: `${id}-label`,
    describedBy: described || undefined,
    invalid: Boolean(error),
    required,
  }
  const name = (
    <label id={`${id}-label`} htmlFor={id} className={hideLabel ? css.hidden : css.label}>
      {label}
      {required && (
        <span className={css.mark} aria-hidden="true">
          {' *'}
        </span>
      )}
      {optional && <span className={css.mark}> {t('(optional)')}</span>}
    </label>
  )
  const control = <Surroundings value={surrounding}>{children}</Surroundings>
  const notes = (
    <>
      {hint && (
        <div id={`${id}-hint`} className={css.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={`${id}-error`} className={css.error}>
          <Icon name="circle-alert" size={14} />
          <span>{typeof error === 'string' ? capital(error) : error}</span>
        </div>
      )}
    </>
  )
  if (row) {
    return (
      <div className={className}>
        <div className={wordsClass}>
          {name}
          {notes}
        </div>
        {children && <div className={controlClass}>{control}</div>}
      </div>
    )
  }
  return (
    <div className={classes(css.field, className)}>
      {name}
      {control}
      {notes}
    </div>
  )
}

/** The attributes of a control's element, by its own properties and the field around it. */
export function useControl({ id, label, disabled, required, invalid, autoFocus }: ControlProps) {
  const around = use(Surroundings)
  return {
    id: id ?? around?.id,
    'aria-label': label,
    'aria-describedby': around?.describedBy,
    'aria-invalid': invalid || around?.invalid || undefined,
    'aria-required': required || around?.required || undefined,
    disabled,
    autoFocus,
  }
}

/** The same for controls that are a group of elements, which a `label` element cannot name. */
export function useGroupControl(control: ControlProps) {
  const around = use(Surroundings)
  const { disabled: _, autoFocus: __, 'aria-required': ___, ...attributes } = useControl(control)
  return { ...attributes, 'aria-labelledby': control.label ? undefined : around?.labelId }
}

/** Text for screen readers alone. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={css.hidden}>{children}</span>
}
