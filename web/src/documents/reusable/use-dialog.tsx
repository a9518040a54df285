import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { makeFromReusable } from '../../data/documents.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { preparationQuery } from '../../data/preparations.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { useMay } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { FieldEditor } from '../../records/field/edit.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { Option } from '../../ui/option.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { nameOf } from '../prepare/preparation.ts'
import { searchRecipients } from '../prepare/recipients.tsx'
import { t } from '../../locales/text.ts'

/** Asks for whom a reusable document is used and who has its roles, and for what is empty in its text. */
export default function UseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate()
  const { data: module } = useSuspenseQuery(moduleQuery('documents'))
  const { data: record } = useSuspenseQuery(recordQuery(module, id))
  const prepared = useQuery(preparationQuery(id))
  const mayFindContacts = useMay('contacts', 'read')
  const [name, setName] = useState(titleOf(module, record))
  const [about, setAbout] = useState<AnyRecord>({})
  const [people, setPeople] = useState<{ [key: string]: Option | null }>({})
  const [values, setValues] = useState<{ [path: string]: string }>({})
  const idIn = (field: string) =>
    typeof about[field] === 'string' ? { [field]: about[field] } : {}
  const { submit, isBusy, problem } = useSubmit(async () => {
    const roles = Object.fromEntries(
      Object.entries(people).flatMap(([key, person]) =>
        person ? [[key, { name: person.label, email: person.description ?? person.label }]] : [],
      ),
    )
    const made = await makeFromReusable(id, {
      ...(name.trim() ? { document_name: name.trim() } : {}),
      ...idIn('account_id'),
      ...idIn('project_id'),
      roles,
      values,
    })
    onClose()
    await navigate({ to: '/documents/$id/signatures/prepare', params: { id: made } })
  })
  const asked = [
    ...new Set([
      ...Object.keys(values),
      ...(problem?.fields ?? []).flatMap(({ field }) =>
        field.startsWith('values.') ? [field.slice('values.'.length)] : [],
      ),
    ]),
  ]
  const others = (problem?.fields ?? []).filter(
    ({ field }) => !/^(values|roles)\.|^(account_id|project_id|document_name)/.test(field),
  )
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Use the document')}
      description={t('Makes a draft with its fields. Nothing is sent yet.')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!prepared.data}>
            {t('Create document')}
          </Button>
        </>
      }
    >
      <ProblemBanner
        problem={problem ?? (prepared.error ? asProblem(prepared.error) : undefined)}
      />
      {others.length ? (
        <Banner kind="bad" boxed>
          {others.map(({ message }) => message).join(', ')}
        </Banner>
      ) : null}
      <Field label={t('Name')} error={problem?.of('document_name')}>
        <TextField value={name} maxLength={255} onChange={setName} />
      </Field>
      {['account_id', 'project_id'].map((field) => {
        const known = fieldOf(module, field)
        return known ? (
          <Field key={field} label={known.label} error={problem?.of(field)} optional>
            <FieldEditor
              field={known}
              record={about}
              onCommit={() => {}}
              onChange={({ value, shown }) =>
                setAbout((before) => ({ ...before, ...shown, [field]: value }))
              }
            />
          </Field>
        ) : null
      })}
      {prepared.data?.recipients.map((role, at) => (
        <Field
          key={role.key}
          label={role.role_name || nameOf(role, at)}
          hint={role.email ? t('Usually {name}', { name: nameOf(role, at) }) : undefined}
          error={problem?.of(`roles.${role.key}`)}
          optional
        >
          <Combobox
            placeholder={
              role.email ? nameOf(role, at) : t('Add a contact, a colleague or an address')
            }
            searchLabel={t('Name or e-mail address')}
            emptyText={t('Nobody found: type the whole e-mail address')}
            look="person"
            clearable
            value={people[role.key] ?? null}
            load={(q, signal) => searchRecipients(q, signal, mayFindContacts)}
            onCreate={(typed) =>
              setPeople((before) => ({
                ...before,
                [role.key]: { value: typed, label: typed, description: typed },
              }))
            }
            onChange={(person) => setPeople((before) => ({ ...before, [role.key]: person }))}
          />
        </Field>
      ))}
      {asked.map((path) => (
        <Field
          key={path}
          label={t('In place of {placeholder}', { placeholder: `{{${path}}}` })}
          error={problem?.of(`values.${path}`)}
        >
          <TextField
            value={values[path] ?? ''}
            maxLength={2000}
            onChange={(value) => setValues((before) => ({ ...before, [path]: value }))}
          />
        </Field>
      ))}
    </Dialog>
  )
}
