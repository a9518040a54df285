import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personQuery } from '../../data/templates.ts'
import { searchPeople } from '../../records/field/choices.ts'
import type { Person } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { PersonField } from '../../records/later-controls.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Role } from './lines.ts'
import { roleWord } from './lines.ts'
import type { TemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  work: TemplateWork
  /** the role; null for a new one */
  roleKey: string | null
  onClose: () => void
}

/** A role: its name, whose side it is on, and to whom it falls by default. */
export function RoleDialog({ work, roleKey, onClose }: Props) {
  const { roles, setRoles } = work
  const before = roles.find(({ key }) => key === roleKey)
  const [name, setName] = useState(before?.name ?? '')
  const [side, setSide] = useState<Role['side']>(before?.side ?? 'ours')
  const { data: stored } = useQuery(personQuery(before?.default_user_id ?? null))
  const [chosen, setChosen] = useState<Person | null>()
  const person = chosen === undefined ? (stored ?? null) : chosen
  const word = name.trim()
  const isTaken = roles.some(
    (role) => role !== before && (role.name === word || role.key === roleWord(word)),
  )
  const error = isTaken ? t('There is a role of this name') : undefined
  const save = () => {
    if (!word || isTaken) return
    const id = chosen === undefined ? (before?.default_user_id ?? null) : (chosen?.id ?? null)
    const role: Role = {
      key: before?.key ?? roleWord(word).slice(0, 100),
      name: word,
      side,
      default_user_id: side === 'ours' ? id : null,
    }
    setRoles((all) =>
      before ? all.map((each) => (each.key === before.key ? role : each)) : [...all, role],
    )
    onClose()
  }
  const remove = () => {
    setRoles(
      (all) => all.filter(({ key }) => key !== roleKey),
      (lines) => ({
        ...lines,
        tasks: lines.tasks.map((task) =>
          task.role !== null && roleWord(task.role) === roleWord(roleKey ?? '')
            ? { ...task, role: null }
            : task,
        ),
      }),
    )
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={before ? before.name : t('New role')}
      onSubmit={save}
      footer={
        <>
          {before ? (
            <Button variant="quiet" onClick={remove}>
              {t('Remove')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!word || isTaken}>
            {before ? t('Save') : t('Add')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Name')} error={error}>
          <TextField value={name} onChange={setName} maxLength={100} autoFocus />
        </Field>
        <SegmentedControl
          label={t('Side')}
          value={side}
          onChange={setSide}
          options={[
            { value: 'ours', label: t('Ours') },
            { value: 'customer', label: t('Customer') },
          ]}
        />
        {side === 'ours' ? (
          <Field label={t('Usually')}>
            <PersonField
              value={person}
              onChange={setChosen}
              search={searchPeople}
              placeholder={t('Nobody')}
              clearable
            />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}
