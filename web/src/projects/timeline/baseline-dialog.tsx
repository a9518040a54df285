import { useState } from 'react'
import { setBaseline } from '../../data/project-plan.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  projectId: string
  /** what it is called if nobody says otherwise */
  usual: string
  onSet: (id: string) => void
  onClose: () => void
}

/** Keeps the dates of a plan as they are, under a name. */
export default function BaselineDialog({ projectId, usual, onSet, onClose }: Props) {
  const [name, setName] = useState(usual)
  const { submit, isBusy, problem } = useSubmit(async () => {
    await setBaseline(projectId, name.trim(), onSet)
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Set baseline')}
      description={t(
        'The dates of all rows are kept as they are, to compare the plan to them later.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!name.trim()}>
            {t('Set baseline')}
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
