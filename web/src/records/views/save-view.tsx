import { useState } from 'react'
import { useSubmit } from '../../data/use-submit.ts'
import type { View, ViewContent, Visibility } from '../../data/views.ts'
import { changeView, createView } from '../../data/views.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './views.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: string
  content: ViewContent
  /** the view to rename; without it, a new one is created */
  view?: View
  onClose: () => void
  onSaved: (view: View | undefined) => void
}

const visibilities: { value: Visibility; label: string; description: string }[] = [
  { value: 'private', label: t('Only me'), description: t('Nobody else sees it') },
  { value: 'team', label: t('My team'), description: t('People in your team') },
  { value: 'public', label: t('Everyone'), description: t('Your whole organization') },
]

/** Asks for a view's name and who sees it. */
export default function SaveView({ module, content, view, onClose, onSaved }: Props) {
  const [name, setName] = useState(view?.name ?? '')
  const [visibility, setVisibility] = useState<Visibility>(view?.visibility ?? 'private')
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (view) {
      await changeView(view, { name, visibility })
      onSaved(undefined)
    } else onSaved(await createView(module, name, visibility, content))
  })
  const error = problem?.of('name') ?? problem?.message

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={view ? t('View') : t('Save view')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            {t('Save view')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Name')} required {...(error ? { error } : {})}>
          <TextField value={name} onChange={setName} maxLength={100} autoFocus />
        </Field>
        <Field label={t('Who sees it')}>
          <Choice
            value={visibility}
            options={visibilities}
            onChange={(next) => setVisibility((next ?? 'private') as Visibility)}
          />
        </Field>
      </div>
    </Dialog>
  )
}
