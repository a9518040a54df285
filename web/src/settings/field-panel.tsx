import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { notifyRefusal } from '../data/change.ts'
import { useDeletion } from '../records/uses/use-deletion.tsx'
import { Button } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { FieldDefinition } from './field-types.ts'
import { hasOptions, typeName } from './field-types.ts'
import { changeFields, deleteField } from './fields-data.ts'
import type { Item } from './option-list.tsx'
import { OptionList } from './option-list.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Props = {
  module: string
  field: FieldDefinition
  isReadOnly: boolean
  onClose: () => void
}

/** One field: its labels, options, rules, and whether it is shown. */
export function FieldPanel({ module, field, isReadOnly, onClose }: Props) {
  const { start: startDeletion, dialog } = useDeletion()
  const [errors, setErrors] = useState<{ [name: string]: string }>({})
  const save = async (values: Partial<FieldDefinition>, message: string) => {
    const names = Object.keys(values) as (keyof FieldDefinition)[]
    const was = Object.fromEntries(names.map((name) => [name, field[name]]))
    setErrors({})
    const change = { key: field.key, ...values }
    await changeFields(module, [change], message, [{ key: field.key, ...was }]).catch(
      (error: unknown) => {
        const problem = asProblem(error)
        const [name] = names
        if (name && ['label', 'group', 'description'].includes(name)) {
          setErrors({ [name]: problem.fields[0]?.message ?? problem.message })
        } else notifyRefusal(error)
      },
    )
  }
  const turn = (name: 'required' | 'unique' | 'is_shared' | 'is_archived') => ({
    checked: field[name],
    disabled: isReadOnly,
    apart: true,
    onChange: (checked: boolean) =>
      void save({ [name]: checked }, t('{label} saved', { label: field.label })),
  })
  const toOption = ({ id, label, color, isDefault }: Item, position: number) => ({
    ...(id ? { value: id } : {}),
    label,
    color,
    icon: null,
    position,
    is_default: isDefault ?? false,
  })
  return (
    <Drawer open onOpenChange={onClose} title={field.label} description={typeName(field.type)}>
      <div className={styles.form}>
        <SavedText
          label={t('Label')}
          value={field.label}
          error={errors.label}
          isReadOnly={isReadOnly}
          onSave={(label) => void save({ label }, t('Label saved'))}
        />
        <SavedText
          label={t('Group')}
          value={field.group ?? ''}
          error={errors.group}
          isReadOnly={isReadOnly}
          onSave={(group) => void save({ group: group || null }, t('Group saved'))}
        />
        <SavedText
          label={t('What it is for')}
          value={field.description ?? ''}
          error={errors.description}
          isReadOnly={isReadOnly}
          onSave={(description) => void save({ description: description || null }, t('Saved'))}
        />
        {field.is_built_in ? null : (
          <>
            <Switch {...turn('required')}>{t('Required in new records')}</Switch>
            <Switch {...turn('unique')}>{t('No two records have the same value')}</Switch>
          </>
        )}
        <Switch
          {...turn('is_shared')}
          hint={t('They see its values on records that are shared with them.')}
        >
          {t('Shared with customers and partners')}
        </Switch>
        {field.is_built_in && field.required ? null : (
          <Switch
            {...turn('is_archived')}
            hint={t('Values stay; forms and lists no longer offer it.')}
          >
            {t('Archived')}
          </Switch>
        )}
        {hasOptions(field.type) && !field.is_built_in ? (
          <SettingGroup title={t('Options')}>
            <OptionList<object>
              noun="option"
              isReadOnly={isReadOnly}
              mayArchive={false}
              items={field.options.map(({ value, label, color, is_default }) => ({
                id: value,
                label,
                color,
                isDefault: is_default,
              }))}
              fresh={(label) => ({ id: '', label, color: null })}
              onSave={(items, message) =>
                void save({ options: items.map(toOption) as never }, message)
              }
            />
          </SettingGroup>
        ) : null}
        <Facts>
          <Fact label={t('Key')}>{field.key}</Fact>
          <Fact label={t('Type')}>{typeName(field.type)}</Fact>
        </Facts>
        {field.is_built_in || isReadOnly ? null : (
          <div>
            <Button
              variant="danger"
              onClick={() =>
                startDeletion({
                  module: 'field',
                  id: `${module}.${field.key}`,
                  name: field.label,
                  remove: () => deleteField(module, field).then(onClose),
                })
              }
            >
              {t('Delete field')}
            </Button>
            {dialog}
          </div>
        )}
      </div>
    </Drawer>
  )
}

type TextProps = {
  label: string
  value: string
  error: string | undefined
  isReadOnly: boolean
  onSave: (value: string) => void
}

function SavedText({ label, value, error, isReadOnly, onSave }: TextProps) {
  const [typed, setTyped] = useState<string>()
  const leave = () => {
    const next = typed?.trim()
    if (next !== undefined && next !== value) onSave(next)
    setTyped(undefined)
  }
  return (
    <Field label={label} error={error}>
      <TextField
        value={typed ?? value}
        onChange={setTyped}
        onBlur={leave}
        disabled={isReadOnly}
        onKeyDown={(event) => {
          if (event.key === 'Enter') leave()
        }}
      />
    </Field>
  )
}
