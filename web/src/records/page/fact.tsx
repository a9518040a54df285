import type { ReactNode } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { Fact } from '../../ui/facts.tsx'
import { Hidden } from '../../ui/field.tsx'
import { isEditable } from '../field/editable.ts'
import { InPlaceEditor } from '../field/lazy-editor.tsx'
import { FieldValue, isEmpty } from '../field/show.tsx'
import { useInPlace } from '../field/use-in-place.ts'
import styles from './fact.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  record: AnyRecord
  field: Field
  /** whether its editor is open at first */
  startsOpen?: boolean
  /** what can be done with the field itself, beside its value */
  act?: ReactNode
}

/** A label and a value, edited where it stands. */
export function EditableFact({ act, ...props }: Props) {
  const value = <FactValue {...props} />
  return (
    <Fact label={props.field.label} bare>
      {act ? (
        <div className={styles.acted}>
          {value}
          {act}
        </div>
      ) : (
        value
      )}
    </Fact>
  )
}

/** A value; a click, Enter or typing opens its editor in its place. */
export function FactValue({ module, record, field, startsOpen = false }: Props) {
  const { isEditing, edit, done, opener } = useInPlace(startsOpen)
  const mayUpdate = useMayOf(module.module, record, 'update')
  const empty = isEmpty(valueOf(record, field.name))
  if (isEditing) {
    return (
      <div className={styles.editor}>
        <InPlaceEditor module={module} field={field} record={record} onDone={done} />
      </div>
    )
  }
  if (!isEditable(field) || !mayUpdate) {
    return (
      <div className={styles.link}>
        {empty ? (
          <span className={styles.none}>–</span>
        ) : (
          <FieldValue field={field} record={record} />
        )}
      </div>
    )
  }
  const isLink = ['email', 'phone', 'url', 'reference'].includes(field.type) && !empty
  return (
    <div className={styles.value}>
      {isLink ? (
        <span className={styles.link}>
          <FieldValue field={field} record={record} />
        </span>
      ) : null}
      <button
        type="button"
        ref={opener}
        className={isLink ? styles.pencil : styles.edit}
        {...(isLink ? { 'aria-label': t('Edit {label}', { label: field.label }) } : {})}
        onClick={edit}
      >
        {/* the accessible name contains the visible text, which people say to speech control */}
        {isLink ? null : <Hidden>{`${t('Edit {label}:', { label: field.label })} `}</Hidden>}
        {isLink ? (
          t('Edit')
        ) : empty ? (
          <span className={styles.none}>{t('Empty')}</span>
        ) : (
          <FieldValue field={field} record={record} />
        )}
      </button>
    </div>
  )
}
