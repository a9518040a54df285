import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { OneTime } from '../ui/one-time.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import styles from './settings.module.css'
import { firstRequest, moduleScopes } from './token-scopes.ts'
import { t } from '../locales/text.ts'

const reaches = [
  {
    value: 'all.read',
    label: t('Read everything'),
    description: t('Everything that you may read yourself.'),
  },
  {
    value: 'all.write',
    label: t('Read and change everything'),
    description: t('Everything that you may do yourself.'),
  },
  {
    value: 'some',
    label: t('Only some modules'),
    description: t('Choose what it reads and changes.'),
  },
]

const lives = [7, 30, 90, 180, 365].map((days) => ({
  value: String(days),
  label: days === 365 ? t('One year') : t('{days} days', { days }),
}))

type Props = { queryKey: readonly unknown[]; onClose: () => void }

/** Creates a personal access token, and shows it once. */
export function AccessTokenForm({ queryKey, onClose }: Props) {
  const [name, setName] = useState('')
  const [reach, setReach] = useState('all.read')
  const [some, setSome] = useState<string[]>([])
  const [days, setDays] = useState<string | null>('90')
  const [token, setToken] = useState<string>()
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { data } = await api.post('/api/access-tokens/', {
      body: {
        name: name.trim(),
        scopes: reach === 'some' ? some : [reach],
        expires_in_days: Number(days ?? 90),
      },
    })
    setToken(data.token)
    void queryClient.invalidateQueries({ queryKey })
  })
  if (token) {
    return (
      <OneTime
        title={t('{name} is created', { name: name.trim() })}
        secrets={[
          [t('Access token'), token],
          [t('A first request'), firstRequest(token)],
        ]}
        confirm={t('I have saved it where only my script reads it')}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Create access token')}
      description={t(
        'It stops working when it expires, when you revoke it, and when you change your password.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Create token')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field label={t('What it is for')} required error={problem?.of('name')}>
          <TextField
            value={name}
            onChange={setName}
            maxLength={100}
            placeholder={t('Weekly report')}
            autoFocus
          />
        </Field>
        <Field
          label={t('What it may do')}
          error={reach === 'some' ? undefined : problem?.of('scopes')}
        >
          <RadioGroup value={reach} onChange={setReach} options={reaches} />
        </Field>
        {reach === 'some' ? (
          <Suspense fallback={<SkeletonRows count={1} />}>
            <Scopes value={some} onChange={setSome} error={problem?.of('scopes')} />
          </Suspense>
        ) : null}
        <Field label={t('Expires after')} error={problem?.of('expires_in_days')}>
          <Choice value={days} onChange={setDays} options={lives} />
        </Field>
      </div>
    </Dialog>
  )
}

type ScopesProps = {
  value: string[]
  onChange: (value: string[]) => void
  error: string | undefined
}

/** The scopes of single modules. */
function Scopes({ value, onChange, error }: ScopesProps) {
  const { data } = useSuspenseQuery({
    queryKey: keys.setting('access token scopes'),
    queryFn: async () => (await api.get('/api/access-tokens/scopes/')).data.results,
    staleTime: Infinity,
  })
  return (
    <Field
      label={t('Modules')}
      required
      hint={t('It may also read what it may change.')}
      error={error}
    >
      <Choice
        multiple
        placeholder={t('Choose modules')}
        value={value}
        onChange={onChange}
        options={moduleScopes(data)}
      />
    </Field>
  )
}
