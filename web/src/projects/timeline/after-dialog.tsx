import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  title: string
  /** the predecessors as they are written */
  initial: string
  /** stores them; what is wrong with the text, if something is */
  onSave: (text: string) => Promise<string | undefined>
  onClose: () => void
}

/** What a task waits for, as it is written in the plan: 2.2, 2.4+1, 3.1 SS. */
export default function AfterDialog({ title, initial, onSave, onClose }: Props) {
  const [text, setText] = useState(initial)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    const wrong = await onSave(text)
    setBusy(false)
    if (wrong) setError(wrong)
    else onClose()
  }
  return (
    <Dialog
      open
      title={t('What {title} waits for', { title })}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <Field
        label={t('After [task]')}
        hint={t('Numbers of tasks: 2.2, 2.4+1, 3.1 SS')}
        error={error}
      >
        <TextField value={text} onChange={setText} autoFocus />
      </Field>
    </Dialog>
  )
}
