import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import type { Recipient } from '../../data/signatures.ts'
import { correctRecipient } from '../../data/signatures.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './signatures.module.css'
import { t } from '../../locales/text.ts'

/** Asks for the right name and address of a recipient, or for another person in their place. */
export function CorrectDialog({
  id,
  signer,
  onClose,
}: {
  id: string
  signer: Recipient
  onClose: () => void
}) {
  const [name, setName] = useState(signer.name)
  const [email, setEmail] = useState(signer.email)
  const { submit, isBusy, problem } = useSubmit(async () => {
    await correctRecipient(id, signer.id, {
      name: name.trim() || email.trim(),
      email: email.trim(),
    })
    notify({ message: t('Sent to {email}', { email: email.trim() }) })
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Correct {name}', { name: signer.name })}
      description={t(
        'The link that was sent stops working. A new one is mailed to the address below.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Correct and send')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field label={t('Name')} error={problem?.of('name')}>
          <TextField value={name} onChange={setName} maxLength={255} />
        </Field>
        <Field label={t('E-mail')} required error={problem?.of('email')}>
          <TextField type="email" value={email} onChange={setEmail} autoComplete="off" />
        </Field>
      </div>
    </Dialog>
  )
}
