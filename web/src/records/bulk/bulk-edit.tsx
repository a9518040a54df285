import { useState } from 'react'
import { countOf } from '../../data/bulk.ts'
import type { Field as Described, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FieldEditor } from '../field/edit.tsx'
import { afterEdit } from '../field/edited.ts'
import { isEditable } from '../field/editable.ts'
import styles from './bulk-bar.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  count: number
  /** the field to change; if undefined, it is chosen first */
  field: Described | undefined
  onClose: () => void
  onApply: (field: Described, value: unknown) => void
}

/** Gives many records the same value of a field. */
export function BulkEdit({ module, count, field: fixed, onClose, onApply }: Props) {
  const [name, setName] = useState<string | null>(fixed?.name ?? null)
  const [shown, setShown] = useState<AnyRecord>({})
  const [value, setValue] = useState<unknown>()
  const [isEmptied, setEmptied] = useState(false)
  const fields = module.fields.filter(
    (each) =>
      isEditable(each) &&
      !each.is_unique &&
      each.name !== module.title_field &&
      each.look !== 'tags',
  )
  const field = fields.find((each) => each.name === name)
  const isReady = field !== undefined && (isEmptied || (value !== undefined && value !== null))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        fixed
          ? t('Change the owner of {records}', { records: countOf(module, count) })
          : t('Edit {records}', { records: countOf(module, count) })
      }
      onSubmit={() => {
        if (isReady) onApply(field, isEmptied ? null : value)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t('Change {records}', { records: countOf(module, count) })}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {fixed ? null : (
          <Field label={t('Field')}>
            <Choice
              placeholder={t('Choose a field')}
              value={name}
              options={fields.map((each) => ({
                value: each.name,
                label: each.label,
                ...(each.is_custom ? { description: t('Custom field') } : {}),
              }))}
              onChange={(next) => {
                setName(next)
                setShown({})
                setValue(undefined)
                setEmptied(false)
              }}
            />
          </Field>
        )}
        {field && !isEmptied ? (
          <Field label={fixed ? field.label : t('New value')}>
            <FieldEditor
              key={field.name}
              field={field}
              record={shown}
              onCommit={() => {}}
              onChange={(edited) => {
                setValue(edited.value)
                setShown((before) => afterEdit(before, field, edited))
              }}
            />
          </Field>
        ) : null}
        {field?.is_nullable ? (
          <Checkbox checked={isEmptied} onChange={setEmptied}>
            {t('Empty the field')}
          </Checkbox>
        ) : null}
      </div>
    </Dialog>
  )
}
