import { useState } from 'react'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { FieldDefinition, FieldType } from './field-types.ts'
import { fieldTypes, hasOptions, keyOf } from './field-types.ts'
import { changeFields } from './fields-data.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Props = { module: string; fields: FieldDefinition[]; onClose: () => void }

/** A custom field of any type. */
export function NewField({ module, fields, onClose }: Props) {
  const [label, setLabel] = useState('')
  const [type, setType] = useState<string | null>('text')
  const [group, setGroup] = useState('')
  const [description, setDescription] = useState('')
  const [options, setOptions] = useState('')
  const [isRequired, setRequired] = useState(false)
  const [isShared, setShared] = useState(false)
  const kind = (type ?? 'text') as FieldType
  const { submit, isBusy, problem } = useSubmit(async () => {
    const taken = fields.map(({ key }) => key)
    const lines = options
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    const field = {
      key: keyOf(label, taken),
      label: label.trim(),
      type: kind,
      position: fields.length,
      required: isRequired,
      is_shared: isShared,
      ...(group.trim() ? { group: group.trim() } : {}),
      ...(description.trim() ? { description: description.trim() } : {}),
      ...(hasOptions(kind) ? { options: lines as never } : {}),
    }
    await changeFields(module, [field], t('{label} created', { label: field.label }))
    onClose()
  })
  const errorOf = (name: string) =>
    problem?.fields.find(({ field }) => field === name || field.includes(`.${name}`))?.message
  const isLoose = problem && !['label', 'type', 'options', 'group'].some((name) => errorOf(name))
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={t('New field')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Create field')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {isLoose ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        <Field label={t('Label')} required error={errorOf('label')}>
          <TextField value={label} onChange={setLabel} maxLength={255} />
        </Field>
        <Field label={t('Type')} hint={t('It cannot be changed later.')} error={errorOf('type')}>
          <Choice value={type} onChange={setType} options={fieldTypes} />
        </Field>
        {hasOptions(kind) ? (
          <Field
            label={t('Options')}
            hint={t('One a line. Colors are chosen afterwards.')}
            error={errorOf('options')}
          >
            <TextArea value={options} onChange={setOptions} rows={4} />
          </Field>
        ) : null}
        <Field
          label={t('Group')}
          optional
          hint={t('A heading in forms and on pages.')}
          error={errorOf('group')}
        >
          <TextField value={group} onChange={setGroup} maxLength={255} />
        </Field>
        <Field label={t('What it is for')} optional>
          <TextField value={description} onChange={setDescription} maxLength={2000} />
        </Field>
        <Checkbox checked={isRequired} onChange={setRequired}>
          {t('Required in new records')}
        </Checkbox>
        <Checkbox
          checked={isShared}
          onChange={setShared}
          hint={t('They see its values on records that are shared with them.')}
        >
          {t('Shared with customers and partners')}
        </Checkbox>
      </div>
    </Dialog>
  )
}
