import { useState } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import { fieldsAt } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, FactGroup, Facts } from '../../ui/facts.tsx'
import { Hidden } from '../../ui/field.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { isEditable } from '../field/editable.ts'
import { InPlaceEditor } from '../field/lazy-editor.tsx'
import { FieldValue, isEmpty } from '../field/show.tsx'
import { useInPlace } from '../field/use-in-place.ts'
import styles from './facts-of.module.css'

const systemGroup = 'About this record'

type Props = { module: Module; record: AnyRecord }

/** Facts of a record, edited in place, in the places that its module gives them; what is about the record itself last. */
export function FactsOf({ module, record }: Props) {
  const [showsEmpty, setShowsEmpty] = useState(false)
  // on a phone the timeline is below the facts, and must not be too far away
  const isNarrow = useNarrow()
  const [showsAll, setShowsAll] = useState(false)
  const isShort = isNarrow && !showsAll
  const chosen = [...fieldsAt(module, 'strip'), ...fieldsAt(module, 'rail')]
  const isOther = (field: Field) =>
    !chosen.includes(field) && field.name !== module.title_field && field.is_shown
  const custom = module.fields.filter((field) => field.is_custom && isOther(field))
  const groups = Object.entries(
    Object.groupBy(
      module.fields.filter((field) => !field.is_custom && isOther(field)),
      (field) => (field.place === 'system' ? systemGroup : (field.group ?? 'More')),
    ),
  ).toSorted(([one], [other]) => Number(one === systemGroup) - Number(other === systemGroup))
  const shown = (fields: Field[] = []) =>
    fields.filter((field) => showsEmpty || !isEmpty(valueOf(record, field.name)))
  return (
    <div className={styles.facts}>
      <Facts>
        {chosen.map((field) => (
          <EditableFact key={field.name} {...{ module, record, field }} />
        ))}
      </Facts>
      {custom.length ? (
        <FactGroup title="Custom fields">
          {custom.map((field) => (
            <EditableFact key={field.name} {...{ module, record, field }} />
          ))}
        </FactGroup>
      ) : null}
      {groups.map(([group, fields]) =>
        shown(fields).length && !isShort ? (
          <FactGroup key={group} title={group}>
            {shown(fields).map((field) => (
              <EditableFact key={field.name} {...{ module, record, field }} />
            ))}
          </FactGroup>
        ) : null,
      )}
      {isShort ? (
        <Button variant="quiet" size="small" onClick={() => setShowsAll(true)}>
          Show all fields
        </Button>
      ) : (
        <Button variant="quiet" size="small" onClick={() => setShowsEmpty(!showsEmpty)}>
          {showsEmpty ? 'Hide empty fields' : 'Show empty fields'}
        </Button>
      )}
    </div>
  )
}

/** A label and a value; a click, Enter or typing opens its editor. */
export function EditableFact({
  module,
  record,
  field,
}: {
  module: Module
  record: AnyRecord
  field: Field
}) {
  const { isEditing, edit, done, opener } = useInPlace()
  const mayUpdate = useMayOf(module.module, record, 'update')
  const canEdit = isEditable(field) && mayUpdate
  const empty = isEmpty(valueOf(record, field.name))
  if (isEditing) {
    return (
      <Fact label={field.label} bare>
        <InPlaceEditor module={module} field={field} record={record} onDone={done} />
      </Fact>
    )
  }
  if (!canEdit) {
    return (
      <Fact label={field.label}>{empty ? null : <FieldValue field={field} record={record} />}</Fact>
    )
  }
  const isLink = ['email', 'phone', 'url', 'reference'].includes(field.type) && !empty
  return (
    <Fact label={field.label} bare>
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
          {...(isLink ? { 'aria-label': `Edit ${field.label}` } : {})}
          onClick={edit}
        >
          {/* the accessible name contains the visible text, which people say to speech control */}
          {isLink ? null : <Hidden>{`Edit ${field.label}: `}</Hidden>}
          {isLink ? (
            'Edit'
          ) : empty ? (
            <span className={styles.none}>Empty</span>
          ) : (
            <FieldValue field={field} record={record} />
          )}
        </button>
      </div>
    </Fact>
  )
}
