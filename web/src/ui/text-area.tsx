import { useLayoutEffect, useRef, type Ref, type TextareaHTMLAttributes } from 'react'
import { classes } from './classes.ts'
import { useControl, type ControlProps } from './field.tsx'
import css from './input.module.css'

type Native = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'>

/** Several lines of text; grows with what is typed, up to half of the window. */
export function TextArea({
  value,
  onChange,
  className,
  rows = 3,
  id,
  label,
  disabled,
  required,
  invalid,
  autoFocus,
  ref,
  ...rest
}: Native &
  ControlProps & {
    value: string
    onChange: (value: string) => void
    ref?: Ref<HTMLTextAreaElement>
  }) {
  const control = useControl({ id, label, disabled, required, invalid, autoFocus })
  const own = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = own.current
    // `field-sizing: content` does it alone if the browser supports it
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [value])
  return (
    <span className={classes(css.box, css.area, className)}>
      <textarea
        {...rest}
        {...control}
        ref={(element) => {
          own.current = element
          if (typeof ref === 'function') return ref(element)
          if (ref) ref.current = element
          return undefined
        }}
        rows={rows}
        className={css.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
