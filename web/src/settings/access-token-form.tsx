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

const reaches = [
  {
    value: 'all.read',
    label: 'Read everything',
    description: 'Everything that you may read yourself.',
  },
  {
    value: 'all.write',
    label: 'Read and change everything',
    description: 'Everything that you may do yourself.',
  },
  { value: 'some', label: 'Only some modules', description: 'Choose what it reads and changes.' },
]

const lives = [7, 30, 90, 180, 365].map((days) => ({
  value: String(days),
  label: days === 365 ? 'One year' : `${days} days`,
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
        title={`${name.trim()} is created`}
        secrets={[
          ['Access token', token],
          ['A first request', firstRequest(token)],
        ]}
        confirm="I have saved it where only my script reads it"
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create access token"
      description="It stops working when it expires, when you revoke it, and when you change your password."
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            Create token
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field label="What it is for" required error={problem?.of('name')}>
          <TextField
            value={name}
            onChange={setName}
            maxLength={100}
            placeholder="Weekly report"
            autoFocus
          />
        </Field>
        <Field label="What it may do" error={reach === 'some' ? undefined : problem?.of('scopes')}>
          <RadioGroup value={reach} onChange={setReach} options={reaches} />
        </Field>
        {reach === 'some' ? (
          <Suspense fallback={<SkeletonRows count={1} />}>
            <Scopes value={some} onChange={setSome} error={problem?.of('scopes')} />
          </Suspense>
        ) : null}
        <Field label="Expires after" error={problem?.of('expires_in_days')}>
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
    <Field label="Modules" required hint="It may also read what it may change." error={error}>
      <Choice
        multiple
        placeholder="Choose modules"
        value={value}
        onChange={onChange}
        options={moduleScopes(data)}
      />
    </Field>
  )
}
