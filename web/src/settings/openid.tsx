import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Code } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { SettingBody, SettingGroup } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import { rolesQuery } from './people-queries.ts'
import { roleName } from './role-name.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

const queryKey = keys.setting('/api/organization/openid/')

/** The organization's OpenID provider, with which people sign in instead of a password. */
export default function OpenId() {
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/organization/openid/')).data,
  })
  const { data: roles = [] } = useQuery(rolesQuery)
  const [issuer, setIssuer] = useState(data.issuer ?? '')
  const [clientId, setClientId] = useState(data.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [domains, setDomains] = useState(data.allowed_domains.join(', '))
  const [role, setRole] = useState(data.new_users_role_id)
  const [isRemoving, setRemoving] = useState(false)
  const isSet = data.issuer !== null
  const { submit, isBusy, problem } = useSubmit(async () => {
    const body = {
      issuer: issuer.trim(),
      client_id: clientId.trim(),
      ...(secret ? { client_secret: secret } : {}),
      allowed_domains: domains.split(/[\s,]+/).filter(Boolean),
      new_users_role_id: role,
    }
    const answer = await api.put('/api/organization/openid/', { body })
    queryClient.setQueryData(queryKey, answer.data)
    setSecret('')
    notify({ message: t('The provider is saved. People can sign in at it now') })
  })
  const remove = async () => {
    setRemoving(false)
    await api.delete('/api/organization/openid/')
    for (const clear of [setIssuer, setClientId, setSecret, setDomains]) clear('')
    setRole(null)
    await queryClient.invalidateQueries({ queryKey })
    notify({ message: t('The provider is removed') })
  }
  return (
    <SectionPage
      title={t('Single sign-on')}
      about={t(
        'People sign in at your OpenID Connect provider: Entra ID, Google, Okta, Keycloak and others.',
      )}
    >
      <SettingGroup
        title={t('At the provider')}
        hint={t('Register an application there for the web, with this redirect address.')}
      >
        <SettingBody>
          <Code code={data.redirect_uri} label={t('Copy the redirect address')} wrap />
        </SettingBody>
      </SettingGroup>
      <SettingGroup
        title={t('Your mail domains')}
        hint={t(
          'To let addresses lead to this provider, publish this TXT record at _perennial. and the domain, such as _perennial.example.com, and list the domain below.',
        )}
      >
        <SettingBody>
          <Code code={data.domain_record} label={t('Copy the record')} wrap />
        </SettingBody>
      </SettingGroup>
      <SettingGroup
        title={t('Here')}
        actions={
          isSet ? <Button onClick={() => setRemoving(true)}>{t('Remove provider')}</Button> : null
        }
      >
        <SettingBody>
          <form
            className={styles.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            {problem && !problem.fields.length ? (
              <Banner kind="bad" boxed>
                {problem.message}
              </Banner>
            ) : null}
            <Field
              label={t('Issuer')}
              required
              hint={t('Such as https://accounts.google.com')}
              error={problem?.of('issuer')}
            >
              <TextField type="url" value={issuer} onChange={setIssuer} spellCheck={false} />
            </Field>
            <Field label={t('Client id')} required error={problem?.of('client_id')}>
              <TextField
                value={clientId}
                onChange={setClientId}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <Field
              label={t('Client secret')}
              required={!isSet}
              optional={isSet}
              hint={
                isSet
                  ? t('Stored encrypted. Leave it empty to keep the one of now.')
                  : t('Stored encrypted.')
              }
              error={problem?.of('client_secret')}
            >
              <TextField type="password" value={secret} onChange={setSecret} autoComplete="off" />
            </Field>
            <Field
              label={t('E-mail domains')}
              optional
              hint={t(
                'Whose people may sign in, separated by commas. If empty, everybody whom the provider lets in.',
              )}
              error={problem?.of('allowed_domains')}
            >
              <TextField
                value={domains}
                onChange={setDomains}
                placeholder="example.com"
                spellCheck={false}
              />
            </Field>
            <Field
              label={t('Role of new people')}
              hint={t(
                'Given to people who sign in for the first time. Without one, only existing users can sign in.',
              )}
              error={problem?.of('new_users_role_id')}
            >
              <Choice
                clearable
                placeholder={t('No new people')}
                value={role}
                onChange={setRole}
                options={roles.map(({ role_id, role_name }) => ({
                  value: role_id,
                  label: roleName(role_name),
                }))}
              />
            </Field>
            <div className={styles.line}>
              <Button type="submit" variant="primary" busy={isBusy}>
                {isSet ? t('Save changes') : t('Save provider')}
              </Button>
            </div>
          </form>
        </SettingBody>
      </SettingGroup>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={t('Remove the provider?')}
        description={t(
          'People sign in by their passwords again. Whoever has none asks for a link by mail on the sign-in page.',
        )}
        confirm={t('Remove provider')}
        onConfirm={() => void remove().catch(notifyRefusal)}
      />
    </SectionPage>
  )
}
