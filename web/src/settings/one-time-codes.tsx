import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Code, CopyButton } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { SettingRow } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Step = 'password' | 'secret' | 'recovery' | 'disable' | 'replace'

/** One-time codes: set up with the secret as text, recovery codes, and turned off. */
export function OneTimeCodes() {
  const queryKey = keys.setting('totp')
  const { data: state } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/session/totp/')).data,
  })
  const [step, setStep] = useState<Step>()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [secret, setSecret] = useState({ secret: '', otpauth_uri: '' })
  const [recovery, setRecovery] = useState<string[]>([])
  const show = (next: Step | undefined) => {
    setPassword('')
    setCode('')
    setStep(next)
  }
  const close = () => {
    show(undefined)
    setRecovery([])
    setSecret({ secret: '', otpauth_uri: '' })
    void queryClient.invalidateQueries({ queryKey })
  }
  const { submit, isBusy, problem, reset } = useSubmit(async () => {
    if (!step) return
    const { next, ...got } = await perform(step, code.trim(), password ? { password } : {})
    if (got.secret) setSecret(got.secret)
    if (got.recovery) setRecovery(got.recovery)
    if (next) show(next)
    else close()
  })
  const open = (next: Step) => {
    reset()
    show(next)
  }
  const words = step ? dialogs[step] : undefined
  const general = problem && !problem.of('code') && !problem.of('password') ? problem.message : null
  return (
    <>
      <SettingRow
        label={t('One-time codes')}
        hint={
          state.is_enabled
            ? t('On. {count} recovery code is left. | On. {count} recovery codes are left.', {
                count: state.recovery_codes_left,
              })
            : state.is_required
              ? t('Your organization requires them.')
              : t('A code from an app on your phone, in addition to the password.')
        }
      >
        {state.is_enabled ? (
          <>
            <Button onClick={() => open('replace')}>{t('New recovery codes')}</Button>
            <Button onClick={() => open('disable')}>{t('Turn off')}</Button>
          </>
        ) : (
          <Button onClick={() => open('password')}>{t('Set up')}</Button>
        )}
      </SettingRow>
      {step && words ? (
        <Dialog
          open
          onOpenChange={close}
          closable={step !== 'recovery'}
          title={words.title}
          description={words.description}
          onSubmit={submit}
          footer={
            <Button type="submit" variant={step === 'disable' ? 'danger' : 'primary'} busy={isBusy}>
              {words.action}
            </Button>
          }
        >
          <div className={styles.form}>
            {general ? (
              <Banner kind="bad" boxed>
                {general}
              </Banner>
            ) : null}
            {step === 'secret' ? (
              <>
                <Code
                  code={secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
                  label={t('Copy the secret')}
                  wrap
                />
                <a href={secret.otpauth_uri}>{t('Open it in the app of this device')}</a>
              </>
            ) : null}
            {step === 'recovery' ? (
              <>
                <ol className={styles.codes}>
                  {recovery.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ol>
                <span className={styles.line}>
                  <CopyButton text={recovery.join('\n')} label={t('Copy the recovery codes')} />{' '}
                  {t('Copy all')}
                </span>
              </>
            ) : null}
            {step === 'password' || step === 'disable' ? (
              <Field label={t('Password')} error={problem?.of('password')}>
                <TextField
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                />
              </Field>
            ) : null}
            {step === 'secret' || step === 'disable' || step === 'replace' ? (
              <Field label={t('Code')} error={problem?.of('code')}>
                <TextField
                  value={code}
                  onChange={setCode}
                  inputMode="numeric"
                  autoComplete="one-time-code"
                />
              </Field>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

const dialogs: { [step in Step]: { title: string; description: string; action: string } } = {
  password: {
    title: t('Set up one-time codes'),
    description: t('First, confirm that it is you.'),
    action: t('Continue'),
  },
  secret: {
    title: t('Add the secret to your app'),
    description: t(
      'In an authenticator app choose “enter a key”, then type the code that it shows.',
    ),
    action: t('Turn on'),
  },
  recovery: {
    title: t('Keep your recovery codes'),
    description: t(
      'Each signs you in once when your phone is not there. They are not shown again: save them now.',
    ),
    action: t('I have saved them'),
  },
  replace: {
    title: t('New recovery codes'),
    description: t('The old ones stop working.'),
    action: t('Replace recovery codes'),
  },
  disable: {
    title: t('Turn off one-time codes'),
    description: t('Afterwards you sign in with your password only.'),
    action: t('Turn off'),
  },
}

type Done = {
  next?: Step
  secret?: { secret: string; otpauth_uri: string }
  recovery?: string[]
}

/** Does a step of setting up or turning off one-time codes; the next one, and what it shows. */
async function perform(step: Step, code: string, proof: { password?: string }): Promise<Done> {
  switch (step) {
    case 'password': {
      const { data: secret } = await api.post('/api/session/totp/', { body: proof })
      return { next: 'secret', secret }
    }
    case 'secret': {
      const { data } = await api.post('/api/session/totp/confirm/', { body: { code } })
      return { next: 'recovery', recovery: data.recovery_codes }
    }
    case 'replace': {
      const { data } = await api.post('/api/session/totp/recovery-codes/', { body: { code } })
      return { next: 'recovery', recovery: data.recovery_codes }
    }
    case 'disable':
      await api.post('/api/session/totp/disable/', { body: { code, ...proof } })
      notify({ message: t('One-time codes are off') })
      return {}
    case 'recovery':
      return {}
  }
}
