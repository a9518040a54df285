import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api } from '../api/client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import styles from './developers.module.css'
import type { App, AppWithSecrets, Scope } from './queries.ts'
import { refresh, scopesQuery } from './queries.ts'
import { SecretsDialog } from './secrets-dialog.tsx'
import { t } from '../locales/text.ts'

type Props = {
  /** the app to change; without it, a new one is created */
  app?: App
  /** called with the id of a created app */
  onClose: (created?: string) => void
}

/** Creates an app or changes one. */
export function AppForm({ app, onClose }: Props) {
  const [name, setName] = useState(app?.name ?? '')
  const [description, setDescription] = useState(app?.description ?? '')
  const [addresses, setAddresses] = useState((app?.redirect_uris ?? []).join('\n'))
  const [scopes, setScopes] = useState<Scope[]>(app?.scopes ?? [])
  const [standard, setStandard] = useState(app?.standard_authorize ?? false)
  const [proves, setProves] = useState(app?.require_client_auth_on_refresh ?? false)
  const [created, setCreated] = useState<AppWithSecrets>()

  const { submit, isBusy, problem } = useSubmit(async () => {
    const body = {
      name: name.trim(),
      description: description.trim() || null,
      redirect_uris: addresses.split(/\s+/).filter(Boolean),
      scopes,
      standard_authorize: standard,
      require_client_auth_on_refresh: proves,
    }
    if (app) {
      await api.put('/api/apps/{id}/', { path: { id: app.app_id }, body })
      await refresh('apps')
      onClose()
    } else {
      const { data } = await api.post('/api/apps/', { body })
      setCreated(data)
      void refresh('apps')
    }
  })

  if (created) {
    return <SecretsDialog app={created} isNew onClose={() => onClose(created.app_id)} />
  }
  return (
    <Dialog
      open
      size="large"
      onOpenChange={() => onClose()}
      title={app ? t('Edit {name}', { name: app.name }) : t('Create app')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {app ? t('Save changes') : t('Create app')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field label={t('Name')} required error={problem?.of('name')}>
          <TextField value={name} onChange={setName} maxLength={255} autoFocus />
        </Field>
        <Field
          label={t('What it does')}
          optional
          hint={t('People read this when they connect it.')}
          error={problem?.of('description')}
        >
          <TextField value={description} onChange={setDescription} maxLength={2000} />
        </Field>
        <Field
          label={t('Redirect addresses')}
          optional
          hint={t(
            'Where people are sent back to after they agree, one per line. They must match exactly.',
          )}
          error={problem?.of('redirect_uris')}
        >
          <TextArea
            rows={2}
            value={addresses}
            onChange={setAddresses}
            placeholder="https://connector.example/callback"
            spellCheck={false}
          />
        </Field>
        <Suspense fallback={<SkeletonRows count={4} />}>
          <Scopes value={scopes} onChange={setScopes} error={problem?.of('scopes')} />
        </Suspense>
        <fieldset className={styles.form}>
          <legend>{t('How people connect')}</legend>
          <Checkbox
            checked={standard}
            onChange={setStandard}
            hint={t('For OAuth libraries: /oauth/connect with PKCE, without a signature.')}
          >
            {t('Standard OAuth')}
          </Checkbox>
          <Checkbox
            checked={proves}
            onChange={setProves}
            hint={t('A refresh of tokens needs it, too.')}
          >
            {t('Ask for the client secret at each refresh')}
          </Checkbox>
        </fieldset>
      </div>
    </Dialog>
  )
}

type ScopesProps = {
  value: Scope[]
  onChange: (value: Scope[]) => void
  error: string | undefined
}

/** What the app may do, in plain words. */
function Scopes({ value, onChange, error }: ScopesProps) {
  const { data: all } = useSuspenseQuery(scopesQuery)
  return (
    <fieldset>
      <legend>{t('What it may do')}</legend>
      <p className={styles.quiet}>{t('The most that people who connect it can allow.')}</p>
      {error ? (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      ) : null}
      <div className={styles.scopes}>
        {all.map(({ scope, description }) => (
          <Checkbox
            key={scope}
            checked={value.includes(scope)}
            onChange={(checked) =>
              onChange(checked ? [...value, scope] : value.filter((each) => each !== scope))
            }
            hint={<code>{scope}</code>}
          >
            {description}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
