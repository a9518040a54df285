import type { Conflict } from '../../data/change.ts'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { FieldValue } from './show.tsx'
import styles from './conflict.module.css'
import { t } from '../../locales/text.ts'

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
          ? t('{person} changed {label} meanwhile.', {
              person: theirs.by?.full_name ?? t('Somebody'),
              label,
            })
          : t('This record was changed meanwhile.')}
      </p>
      {current ? (
        <p className={styles.value}>
          {t('{label} is now:', { label: field.label })}{' '}
          <FieldValue field={field} record={current} line />
        </p>
      ) : null}
    </div>
  )
}
