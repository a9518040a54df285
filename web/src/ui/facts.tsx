import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './facts.module.css'
import { t } from '../locales/text.ts'

/** A list of labels and values, as in a record's panel. Its children are `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>
}

/**
 * One label and its value. Nothing is shown as an en dash, or as "Empty" where it can be set. `bare`
 * leaves the padding to what is in it, for values that are edited in place.
 */
export function Fact({
  label,
  bare = false,
  settable = false,
  children,
}: {
  label: string
  bare?: boolean
  settable?: boolean
  children?: ReactNode
}) {
  const isEmpty = children === null || children === undefined || children === ''
  return (
    <>
      <dt className={css.label}>{label}</dt>
      <dd className={classes(css.value, bare && css.bare, isEmpty && css.none)}>
        {isEmpty ? (settable ? t('Empty') : '–') : children}
      </dd>
    </>
  )
}

/** Facts under a heading: "Custom fields". */
export function FactGroup({
  title,
  as: Heading = 'h3',
  children,
}: {
  title: string
  as?: 'h2' | 'h3'
  children: ReactNode
}) {
  return (
    <section className={css.group}>
      <Heading className={css.title}>{title}</Heading>
      <Facts>{children}</Facts>
    </section>
  )
}
