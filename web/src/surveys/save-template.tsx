import { useState } from 'react'
import { api } from '../api/client.ts'
import { refreshModule } from '../data/cached.ts'
import { notify } from '../data/notices.ts'
import { idOf, titleOf } from '../data/record.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { ActProps } from '../records/definition.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { t } from '../locales/text.ts'

/** Saves the questions and the look of a survey as a template, with which new ones begin. */
export default function SaveTemplate({ module, record, onClose }: ActProps) {
  const [name, setName] = useState(titleOf(module, record))
  const { submit, isBusy, problem } = useSubmit(async () => {
    const id = idOf(module, record)
    await api.post('/api/surveys/{id}/save-as-template/', {
      path: { id },
      body: { name: name.trim() },
    })
    await refreshModule('surveys')
    notify({ message: t('Saved as template: new surveys can begin with it') })
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Save as template')}
      description={t('New surveys can begin with these questions. Answers stay here.')}
      onSubmit={() => {
        if (name.trim()) submit()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            {t('Save template')}
          </Button>
        </>
      }
    >
      <Field label={t('Name')} error={problem?.of('name') ?? problem?.message}>
        <TextField value={name} onChange={setName} maxLength={255} autoFocus />
      </Field>
    </Dialog>
  )
}
