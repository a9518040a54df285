import { useState } from 'react'
import { pinsOf } from '../../data/layout.ts'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf, fieldsAt } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { useMayOf, useSession } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { isEditable } from '../field/editable.ts'
import { isEmpty } from '../field/show.tsx'
import { later } from '../later.tsx'
import styles from './details.module.css'
import { EditableFact } from './fact.tsx'
import { inSentence, t } from '../../locales/text.ts'

const AllFields = later(() => import('../form/all-fields.tsx'), 'shown')

type Props = { module: Module; record: AnyRecord }

/** The chosen facts of a record that have a value; those that have none are offered in one line. */
export function Details({ module, record, onAll }: Props & { onAll: () => void }) {
  const mayUpdate = useMayOf(module.module, record, 'update')
  const { preferences } = useSession()
  // what everybody sees, then what the person has pinned
  const fields = [
    ...fieldsAt(module, 'rail'),
    ...pinsOf(preferences, module.module).flatMap((name) => {
      const field = fieldOf(module, name)
      return field?.place === 'more' ? field : []
    }),
  ]
  const filled = fields.filter((field) => says(record, field)).map(({ name }) => name)
  // a fact that was emptied keeps its place, and the focus, until the record is left
  const [shown, setShown] = useState<ReadonlySet<string>>(() => new Set(filled))
  const [opened, setOpened] = useState<string>()
  if (filled.some((name) => !shown.has(name))) setShown(new Set([...shown, ...filled]))
  const missing = fields.filter(
    (field) =>
      !shown.has(field.name) &&
      mayUpdate &&
      isEditable(field) &&
      isEmpty(valueOf(record, field.name)),
  )
  const more = module.fields.filter(({ place }) => place !== 'system').length
  return (
    <div className={styles.details}>
      <Facts>
        {fields
          .filter(({ name }) => shown.has(name))
          .map((field) => (
            <EditableFact
              key={field.name}
              startsOpen={field.name === opened}
              {...{ module, record, field }}
            />
          ))}
      </Facts>
      {missing.length ? (
        <p className={styles.missing}>
          <span>{t('+ Add')} </span>
          {missing.map(({ name, label }, at) => (
            <span key={name}>
              {at ? ', ' : ''}
              <button
                type="button"
                aria-label={t('Edit {label}', { label })}
                onClick={() => {
                  setOpened(name)
                  setShown(new Set([...shown, name]))
                }}
              >
                {inSentence(label)}
              </button>
            </span>
          ))}
        </p>
      ) : null}
      <Button variant="quiet" size="small" onClick={onAll}>
        {t('All fields {number}', { number: more })}
      </Button>
    </div>
  )
}

/** The drawer with all fields, which also opens by its key. */
export function useAllFields({ module, record }: Props) {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useShortcuts([{ keys: 'Shift+i', label: t('All fields'), group: t('Page'), run: open }])
  return {
    open,
    drawer: isOpen ? <AllFields {...{ module, record }} onClose={() => setOpen(false)} /> : null,
  }
}

/** Whether a value is worth its line: not one that is missing, "No", or a count of nothing. */
function says(record: AnyRecord, field: Field): boolean {
  const value = valueOf(record, field.name)
  return !isEmpty(value) && value !== false && !(value === 0 && !field.is_writable)
}
