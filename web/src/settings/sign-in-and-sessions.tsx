import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import { ItemRow, SettingGroup, SettingRow } from '../ui/setting.tsx'
import { Tag } from '../ui/tag.tsx'
import { TextField } from '../ui/text-field.tsx'
import { OneTimeCodes } from './one-time-codes.tsx'
import { browserOf, systemOf } from '../data/browser-of.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

const sessionsKey = keys.setting('sessions')

/** Password, one-time codes, and where the person is signed in. */
export default function SignInAndSessions() {
  const [isChanging, setChanging] = useState(false)
  return (
    <SectionPage
      title={t('Sign-in and sessions')}
      about={t('How you sign in, and where you are signed in.')}
    >
      <SettingGroup title={t('Sign-in')}>
        <SettingRow label={t('Password')} hint={t('Changing it ends your other sessions.')}>
          <Button onClick={() => setChanging(true)}>{t('Change password')}</Button>
        </SettingRow>
        <OneTimeCodes />
      </SettingGroup>
      <Sessions />
      {isChanging ? <ChangePassword onClose={() => setChanging(false)} /> : null}
    </SectionPage>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    await api.post('/api/session/password/', { body: { current, new: next } })
    await queryClient.invalidateQueries({ queryKey: sessionsKey })
    notify({ message: t('Password changed. Your other sessions have ended.') })
    onClose()
  })
  const wrong = problem?.of('current')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Change password')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Change password')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Current password')} required error={wrong}>
          <TextField
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
          />
        </Field>
        <Field
          label={t('New password')}
          required
          error={problem?.of('new') ?? (wrong ? undefined : problem?.message)}
        >
          <TextField type="password" autoComplete="new-password" value={next} onChange={setNext} />
        </Field>
      </div>
    </Dialog>
  )
}

function Sessions() {
  const format = useFormat()
  const { data: sessions } = useSuspenseQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await api.get('/api/sessions/')).data,
  })
  const end = async (id?: string) => {
    if (id) await api.delete('/api/sessions/{id}/', { path: { id } })
    else await api.delete('/api/sessions/')
    await queryClient.invalidateQueries({ queryKey: sessionsKey })
    notify({ message: id ? t('Session ended') : t('Your other sessions have ended') })
  }
  return (
    <SettingGroup
      title={t('Sessions')}
      hint={t(
        'Where you are signed in. End sessions that you do not recognize, and change your password.',
      )}
      actions={
        sessions.length > 1 ? (
          <Button onClick={() => void end().catch(notifyRefusal)}>{t('End all others')}</Button>
        ) : null
      }
    >
      {sessions.map(({ session_id, user_agent, address, is_current, last_used_at }) => (
        <ItemRow
          key={session_id}
          lead={<Icon name={systemOf(user_agent) ? 'monitor' : 'code'} />}
          name={browserOf(user_agent)}
          marks={is_current ? <Tag color="#14704c">{t('This one')}</Tag> : null}
          actions={
            is_current ? null : (
              <Button size="small" onClick={() => void end(session_id).catch(notifyRefusal)}>
                {t('End session')}
              </Button>
            )
          }
        >
          {t('{address} · last used {relative}', {
            address: address ?? t('Unknown address'),
            relative: relative(last_used_at, format),
          })}
        </ItemRow>
      ))}
    </SettingGroup>
  )
}
