import { useState, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import css from './input.module.css'
import { useLocale } from './locale.ts'
import { formatPlain, numberHint, parseNumber } from './numbers.ts'

/**
 * A number or nothing. Typed by the separators of the person's locale; the arrow keys add and subtract `step`
 * (with Shift ten times as much). Invalid text is marked and reported by `onInvalid`, and
 * `onChange` is not called; what would be right is the input's custom validity.
 */
export function NumberField({
  value,
  onChange,
  onInvalid,
  min,
  max,
  step = 1,
  integer = false,
  prefix,
  suffix,
  placeholder,
  className,
  onBlur,
  onKeyDown,
  ref,
  ...control
}: ControlProps & {
  value: number | null
  onChange: (value: number | null) => void
  onInvalid?: (text: string) => void
  min?: number
  max?: number
  step?: number
  integer?: boolean
  prefix?: ReactNode
  suffix?: ReactNode
  placeholder?: string
  className?: string
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  ref?: Ref<HTMLInputElement>
}) {
  const locale = useLocale()
  const [typed, setTyped] = useState<string | null>(null)
  const fits = (number: number) =>
    (min === undefined || number >= min) &&
    (max === undefined || number <= max) &&
    (!integer || Number.isInteger(number))
  const parsed = typed === null ? value : parseNumber(typed, locale)
  const isWrong = parsed === undefined || (parsed !== null && !fits(parsed))
  const attributes = useControl({ ...control, invalid: control.invalid || isWrong })
  const change = (input: HTMLInputElement) => {
    const text = input.value
    setTyped(text)
    const next = parseNumber(text, locale)
    const isRight = next !== undefined && (next === null || fits(next))
    input.setCustomValidity(isRight ? '' : numberHint({ min, max, integer, locale }))
    if (isRight) onChange(next)
    else onInvalid?.(text)
  }
  const add = (amount: number) => {
    // adding 0.1 ten times gives 1
    const sum = Number(((value ?? 0) + amount).toPrecision(12))
    const next = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, sum))
    setTyped(null)
    onChange(next)
  }
  return (
    <span className={classes(css.box, className)}>
      {prefix && <span className={css.affix}>{prefix}</span>}
      <input
        {...attributes}
        ref={ref}
        className={classes(css.input, css.number)}
        inputMode={integer ? 'numeric' : 'decimal'}
        autoComplete="off"
        placeholder={placeholder}
        value={typed ?? (value === null ? '' : formatPlain(value, locale))}
        onChange={(event) => change(event.target)}
        onBlur={() => {
          if (!isWrong) setTyped(null)
          onBlur?.()
        }}
        onKeyDown={(event) => {
          onKeyDown?.(event)
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          event.currentTarget.setCustomValidity('')
          add((event.key === 'ArrowUp' ? 1 : -1) * step * (event.shiftKey ? 10 : 1))
        }}
      />
      {suffix && <span className={css.affix}>{suffix}</span>}
    </span>
  )
}
