import { useState } from 'react'
import { api } from '../api/client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Props = {
  slot: 'a' | 'b'
  /** what is connected there now */
  before?: { address: string | null; account: string | null } | undefined
  onClose: () => void
  onConnected: () => void
}

/** Connects a calendar of a CalDAV server, which is tried before. */
export function CalendarServerForm({ slot, before, onClose, onConnected }: Props) {
  const [address, setAddress] = useState(before?.address ?? '')
  const [account, setAccount] = useState(before?.account ?? '')
  const [password, setPassword] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    const typed = address.trim()
    const body = {
      slot,
      address: /^[a-z]+:/i.test(typed) ? typed : `https://${typed}`,
      account: account.trim(),
      password,
    }
    await api.post('/api/calendar/connections/', { body })
    onConnected()
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Connect a CalDAV server')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Connect calendar')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field
          label={t('Server')}
          required
          hint={t('Such as caldav.fastmail.com, caldav.icloud.com or the address of a calendar')}
          error={problem?.of('address')}
        >
          <TextField
            type="url"
            value={address}
            onChange={setAddress}
            spellCheck={false}
            autoFocus
          />
        </Field>
        <Field label={t('User name there')} required error={problem?.of('account')}>
          <TextField value={account} onChange={setAccount} autoComplete="off" spellCheck={false} />
        </Field>
        <Field
          label={t('Password')}
          required
          hint={t('Stored encrypted. Many servers want a password for programs only.')}
          error={problem?.of('password')}
        >
          <TextField type="password" value={password} onChange={setPassword} autoComplete="off" />
        </Field>
      </div>
    </Dialog>
  )
}
