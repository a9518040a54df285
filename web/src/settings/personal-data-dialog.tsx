import { useState } from 'react'
import { api } from '../api/client.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { dataRequestsQuery } from './personal-data-query.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** Asks whose data to export or erase; an erasure asks for the address twice. */
export function PersonalDataDialog({
  kind,
  onClose,
}: {
  kind: 'export' | 'erasure'
  onClose: () => void
}) {
  const isErasure = kind === 'erasure'
  const [email, setEmail] = useState('')
  const [confirm, setConfirm] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    const named = { email: email.trim() }
    if (isErasure) {
      const body = { ...named, confirm: confirm.trim() }
      await api.post('/api/organization/personal-data/erase/', { body })
    } else await api.post('/api/organization/personal-data/export/', { body: named })
    await queryClient.invalidateQueries({ queryKey: dataRequestsQuery.queryKey })
    notify({ message: isErasure ? t('The erasure has begun') : t('The export has begun') })
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isErasure ? t('Erase a person') : t('Export a person’s data')}
      description={
        isErasure
          ? t(
              'They are erased from every record, answer, signature, mail, log entry and file. It cannot be undone.',
            )
          : t(
              'A file with every row that is about them: as a colleague, a contact, or somebody who answered.',
            )
      }
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            variant={isErasure ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={isErasure && confirm.trim() === ''}
          >
            {isErasure ? t('Erase for good') : t('Export data')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {problem && !problem.fields.length ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        <Field label={t('E-mail')} required error={problem?.of('email')}>
          <TextField type="email" value={email} onChange={setEmail} autoComplete="off" />
        </Field>
        {isErasure ? (
          <Field
            label={t('Repeat the e-mail, or their full name')}
            required
            error={problem?.of('confirm')}
          >
            <TextField value={confirm} onChange={setConfirm} autoComplete="off" />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}
