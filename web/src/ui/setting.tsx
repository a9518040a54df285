import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { Field } from './field.tsx'
import css from './setting.module.css'

/** Settings that belong together: a heading, a description, and a box of rows. */
export function SettingGroup({
  title,
  hint,
  actions,
  children,
}: {
  title?: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={css.group}>
      {(title || hint || actions) && (
        <header className={css.heading}>
          <div className={css.words}>
            {title && <h2>{title}</h2>}
            {hint && <p className={css.hint}>{hint}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={css.box}>{children}</div>
    </section>
  )
}

/** One setting: its label and description at the left, its control at the right. */
export function SettingRow({
  label,
  hint,
  error,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  children?: ReactNode
}) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      row
      className={css.row}
      wordsClass={css.words}
      controlClass={css.control}
    >
      {children}
    </Field>
  )
}

/** An item of a list: a picture, its name with details, and its actions. */
export function ItemRow({
  lead,
  name,
  marks,
  children,
  actions,
}: {
  lead?: ReactNode
  name: ReactNode
  /** beside the name: a status, a tag */
  marks?: ReactNode
  /** below the name */
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={classes(css.row, css.item)}>
      {lead && <span className={css.lead}>{lead}</span>}
      <div className={css.words}>
        <div className={css.name}>
          {name}
          {marks}
        </div>
        {children && <div className={css.more}>{children}</div>}
      </div>
      {actions && <div className={css.control}>{actions}</div>}
    </div>
  )
}

/** A row that needs the whole width of the box. */
export function SettingBody({ children }: { children: ReactNode }) {
  return <div className={css.wide}>{children}</div>
}
