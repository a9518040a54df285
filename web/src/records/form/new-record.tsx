import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { createRecord } from '../../data/change.ts'
import type { Field as FieldOf, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import type { AnyRecord } from '../../data/record.ts'
import { withValue } from '../../data/record.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { capital } from '../../ui/capital.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { Screens } from '../definition.ts'
import { Declared } from '../later.tsx'
import { FieldEditor } from '../field/edit.tsx'
import { afterEdit } from '../field/edited.ts'
import { isEditable } from '../field/editable.ts'
import styles from './new-record.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  screens: Screens
  /** the initial values of the form */
  initial?: AnyRecord
  /** the same in the record's form, if that differs */
  initialShown?: AnyRecord
  onClose: () => void
  onCreated: (id: string) => void
}

/** The form for a new record: a record type's own one first, if it has one, else the usual one. */
export default function NewRecord(props: Props) {
  const { newForm } = props.screens
  const session = useSession()
  const [isPlain, setPlain] = useState(false)
  const mayUse = newForm && !props.initial && levelOf(session, newForm.needs, 'read') !== 'none'
  if (!mayUse || isPlain) return <UsualForm {...props} />
  const own = { onClose: props.onClose, onPlain: () => setPlain(true) }
  return <Declared load={newForm.load} props={own} />
}

/** Required fields first; for a duplicate it offers the existing record. */
function UsualForm({
  module,
  screens,
  initial = {},
  initialShown = initial,
  onClose,
  onCreated,
}: Props) {
  const { user } = useSession()
  const fields = formFields(module, screens, Object.keys(initial))
  // whoever creates a record owns it unless they choose somebody else
  const owner = fields.find(({ look, name }) => look === 'owner' && !(name in initial))
  const begun = owner ? { ...initial, [owner.name]: user.user_id } : initial
  const [values, setValues] = useState<AnyRecord>(begun)
  const [shown, setShown] = useState<AnyRecord>({
    ...defaultsOf(module),
    ...initialShown,
    ...(owner ? { [owner.name]: user } : {}),
  })
  const isOver = useRef(false)
  const key = useRef(crypto.randomUUID())
  const isFilled = Object.keys(values).length > Object.keys(begun).length
  const holds = () => isFilled && !isOver.current
  const [isLeaving, setLeaving] = useState(false)
  // Back, links, and closing the tab ask, too
  const leaving = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  })
  const close = () => {
    isOver.current = true
    onClose()
  }
  const leave = () => (isFilled ? setLeaving(true) : close())

  const { submit, isBusy, problem } = useSubmit(async () => {
    try {
      const id = await createRecord(module, { ...screens.only, ...values }, key.current)
      notify({ message: t('{one} created', { one: capital(module.word.one) }) })
      isOver.current = true
      onCreated(id)
    } catch (error) {
      key.current = crypto.randomUUID()
      throw error
    }
  })

  const others =
    problem?.fields.filter(({ field }) => !fields.some(({ name }) => field.startsWith(name))) ?? []
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) leave()
        }}
        title={t('New {one}', { one: module.word.one })}
        onSubmit={submit}
        footer={
          <>
            <Button onClick={leave}>{t('Cancel')}</Button>
            <Button type="submit" variant="primary" busy={isBusy}>
              {t('Create {one}', { one: module.word.one })}
            </Button>
          </>
        }
      >
        <div className={styles.fields}>
          {problem && (!problem.fields.length || others.length) ? (
            <p className={styles.problem} role="alert">
              {others.length
                ? others.map(({ field, message }) => `${field} ${message}`).join('. ')
                : problem.message}
              {problem.requestId ? (
                <small> {t('Request {requestId}', { requestId: problem.requestId })}</small>
              ) : null}
            </p>
          ) : null}
          {fields.map((field) => {
            const error = problem?.of(field.name)
            return (
              <Field
                key={field.name}
                label={field.label}
                required={field.is_required}
                {...hintOf(field)}
                {...(error ? { error } : {})}
              >
                <FieldEditor
                  field={field}
                  record={shown}
                  onCommit={() => {}}
                  onChange={(edited) => {
                    setValues((before) => withValue(before, field.name, edited.value))
                    setShown((before) => afterEdit(before, field, edited))
                  }}
                />
              </Field>
            )
          })}
        </div>
      </Dialog>
      {isLeaving || leaving.status === 'blocked' ? (
        <ConfirmDialog
          open
          onOpenChange={() => {
            setLeaving(false)
            leaving.reset?.()
          }}
          title={t('Discard what you entered?')}
          confirm={t('Discard')}
          onConfirm={leaving.proceed ?? close}
        >
          {t('The {one} was not created yet.', { one: module.word.one })}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** The description of a custom field; those of built-in fields are meant for programs. */
function hintOf({ is_custom, description }: FieldOf) {
  return is_custom && description ? { hint: description } : {}
}

/** The title, required fields, those that the record type names, and those with initial values. */
function formFields(module: Module, screens: Screens, begun: string[]) {
  const named = (screens.form ?? []).flatMap((name) => fieldOf(module, name) ?? [])
  const required = module.fields.filter(
    (field) =>
      field.is_required &&
      isEditable(field) &&
      !named.includes(field) &&
      !screens.only?.[field.name],
  )
  const title = fieldOf(module, module.title_field)
  const first = begun.flatMap((name) => fieldOf(module, name) ?? [])
  const custom = module.fields.filter((field) => field.is_custom)
  return [
    ...new Set([...(title ? [title] : []), ...required, ...named, ...first, ...custom]),
  ].filter((field) => isEditable(field))
}

function defaultsOf(module: Module): AnyRecord {
  return Object.fromEntries(
    module.fields.flatMap((field) =>
      field.default === null || field.default === undefined || field.name.includes('.')
        ? []
        : [[field.name, field.default]],
    ),
  )
}
