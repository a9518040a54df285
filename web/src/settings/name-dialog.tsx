import { useState } from 'react'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { t } from '../locales/text.ts'

type Props = {
  title: string
  action: string
  name?: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name; a refusal is shown at its field. */
export function NameDialog({ title, action, name: before = '', onSave, onClose }: Props) {
  const [name, setName] = useState(before)
  const { submit, isBusy, problem } = useSubmit(async () => {
    await onSave(name.trim())
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Field label={t('Name')} required error={problem?.fields[0]?.message ?? problem?.message}>
        <TextField value={name} onChange={setName} maxLength={100} />
      </Field>
    </Dialog>
  )
}
