import type { Conflict } from '../../data/change.ts'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { FieldValue } from './show.tsx'
import styles from './conflict.module.css'

/** Who changed the field meanwhile, and its current value. */
export function ConflictNote({
  module,
  field,
  conflict,
}: {
  module: Module
  field: Field
  conflict: Conflict
}) {
  const { current, changed } = conflict
  const theirs = changed.find((each) => each.field === field.name) ?? changed[0]
  const label = theirs ? (fieldOf(module, theirs.field)?.label ?? theirs.field) : undefined
  return (
    <div className={styles.note}>
      <p>
        {theirs
          ? `${theirs.by?.full_name ?? 'Somebody'} changed ${label} meanwhile.`
          : 'This record was changed meanwhile.'}
      </p>
      {current ? (
        <p className={styles.value}>
          {field.label} is now: <FieldValue field={field} record={current} line />
        </p>
      ) : null}
    </div>
  )
}
