import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import { withdrawRequest } from '../../data/signatures.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { t } from '../../locales/text.ts'

/** Asks why a request for signatures is withdrawn; its recipients read the reason. */
export function WithdrawDialog({
  id,
  confirm,
  onClose,
}: {
  id: string
  confirm: string
  onClose: () => void
}) {
  const [reason, setReason] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    await withdrawRequest(id, reason)
    notify({ message: t('Withdrawn: the links no longer work') })
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Withdraw the request')}
      description={t(
        'The links of all recipients stop working, and the document can be changed again. Those who were asked are mailed; mails that were sent cannot be taken back.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {confirm}
          </Button>
        </>
      }
    >
      {problem && !problem.fields.length ? <ProblemBanner problem={problem} /> : null}
      <Field label={t('Reason')} hint={t('The recipients read it.')} error={problem?.of('reason')}>
        <TextArea value={reason} onChange={setReason} maxLength={2000} autoFocus />
      </Field>
    </Dialog>
  )
}
