import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { Hidden } from '../../ui/field.tsx'
import styles from './in-place-value.module.css'
import { InPlaceEditor } from './lazy-editor.tsx'
import { FieldValue, isEmpty } from './show.tsx'
import { useInPlace } from './use-in-place.ts'

type Props = {
  module: Module
  field: Field
  record: AnyRecord
  canEdit: boolean
  /** shown if there is no value yet */
  empty?: string
}

/** A value within a line, which is replaced by its editor when it is pressed. */
export function InPlaceValue({ module, field, record, canEdit, empty = 'Empty' }: Props) {
  const { isEditing, edit, done, opener } = useInPlace()
  if (isEditing) {
    return (
      <span className={styles.editor}>
        <InPlaceEditor module={module} field={field} record={record} onDone={done} />
      </span>
    )
  }
  const isNone = isEmpty(valueOf(record, field.name))
  const shown = isNone ? (
    <span className={styles.none}>{canEdit ? empty : '–'}</span>
  ) : (
    <FieldValue field={field} record={record} line />
  )
  if (!canEdit) return <span>{shown}</span>
  return (
    <button type="button" ref={opener} className={styles.value} onClick={edit}>
      {/* the accessible name contains the visible text, which people say to speech control */}
      <Hidden>{`Edit ${field.label}: `}</Hidden>
      {shown}
    </button>
  )
}
