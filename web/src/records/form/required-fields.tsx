import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Values } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, withValues } from '../../data/record.ts'
import type { Asked } from '../../data/required.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Edited } from '../field/edit.tsx'
import { FieldEditor } from '../field/edit.tsx'
import { isEmpty } from '../field/show.tsx'
import styles from './new-record.module.css'
import { t } from '../../locales/text.ts'

/** Asks for exactly the fields that a stage needs, and goes on with them. */
export default function RequiredFields({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { data: module } = useQuery(moduleQuery(asked.module))
  return module ? <Ask {...{ asked, module, onClose }} /> : null
}

type Props = {
  asked: Asked
  module: Module
  onClose: () => void
}

function Ask({ asked: { id, problem, answer }, module, onClose }: Props) {
  const { data: record } = useQuery(recordQuery(module, id))
  const [values, setValues] = useState<Values>({})
  const [shown, setShown] = useState<AnyRecord>({})
  const fields = problem.fields.flatMap(({ field }) => fieldOf(module, field) ?? [])
  // a field that the person may not read is named, and cannot be filled in here
  const isWhole = fields.length > 0 && fields.every(({ name }) => !isEmpty(values[name]))
  const setIn =
    (name: string) =>
    ({ value, shown: more }: Edited) => {
      setValues((before) => ({ ...before, [name]: value }))
      setShown((before) => withValues(before, { [name]: value, ...more }))
    }
  return (
    <Dialog
      open
      title={t('What the stage needs')}
      description={problem.fields.map(({ message }) => message).join('. ')}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      onSubmit={() => {
        if (isWhole) answer(values)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!isWhole}>
            {t('Go on')}
          </Button>
        </>
      }
    >
      {record ? (
        <div className={styles.fields}>
          {fields.map((field) => (
            <Field key={field.name} label={field.label} required>
              <FieldEditor
                field={field}
                record={{ ...record, ...shown }}
                onCommit={setIn(field.name)}
                onChange={setIn(field.name)}
              />
            </Field>
          ))}
        </div>
      ) : (
        <SkeletonRows count={2} />
      )}
    </Dialog>
  )
}
