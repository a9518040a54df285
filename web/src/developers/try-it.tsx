import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import type { RawAnswer } from '../data/integration.ts'
import { sendRaw } from '../data/integration.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Code } from '../ui/code.tsx'
import { Field } from '../ui/field.tsx'
import { SettingBody, SettingGroup, SettingRow } from '../ui/setting.tsx'
import { Status } from '../ui/status.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { connect, isConsentReturn } from './connect.ts'
import styles from './developers.module.css'
import { pretty } from './pretty.ts'
import { appsQuery } from './queries.ts'
import { secretsOf } from './secrets.ts'
import { curlLine, signedHeaders } from './sign.ts'
import { t } from '../locales/text.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

/**
 * Builds a request of the integration surface, signs it in this browser, and shows the answer. The reference links
 * here with a request in the address: `method`, `path` and `body`.
 */
export default function TryIt() {
  const { data: apps = [] } = useQuery(appsQuery)
  const [appId, setAppId] = useState<string | null>(null)
  const [typed, setTyped] = useState<{ [name: string]: string }>({})
  const linked = {
    method: useSearchValue('method')[0],
    path: useSearchValue('path')[0],
    body: useSearchValue('body')[0],
  }
  const [method, setMethod] = useState<string | null>(
    methods.find((each) => each === linked.method) ?? 'GET',
  )
  const [path, setPath] = useState(ownPath(linked.path) ?? '/automation/test')
  const [body, setBody] = useState(linked.body ?? '')
  const [curl, setCurl] = useState<string>()
  const [answer, setAnswer] = useState<RawAnswer>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState<'send' | 'connect'>()
  const app = apps.find(({ app_id }) => app_id === appId) ?? apps[0]
  const known = app ? secretsOf(app.app_id) : {}
  const clientSecret = typed.clientSecret ?? known.clientSecret ?? ''
  const functionKey = typed.functionKey ?? known.functionKey ?? ''
  const accessToken = typed.accessToken ?? ''
  const set = (name: string) => (value: string) =>
    setTyped((before) => ({ ...before, [name]: value.trim() }))
  const leaving = useState(() => new AbortController())[0]
  useEffect(() => () => leaving.abort(), [leaving])
  if (isConsentReturn()) {
    return (
      <SectionPage
        title={t('Connected')}
        about={t('You can close this tab: the other one goes on.')}
      >
        <Button onClick={() => window.close()}>{t('Close this tab')}</Button>
      </SectionPage>
    )
  }
  const run = async (what: 'send' | 'connect', action: () => Promise<void>) => {
    setBusy(what)
    setFault(undefined)
    try {
      await action()
    } catch (error) {
      setFault(asProblem(error).message)
    }
    setBusy(undefined)
  }
  const send = () =>
    run('send', async () => {
      const credentials = { clientId: app?.client_id ?? '', clientSecret, functionKey, accessToken }
      const sent = method === 'GET' || !body.trim() ? undefined : body
      const headers = {
        ...(await signedHeaders(credentials, Date.now())),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const verb = method ?? 'GET'
      setCurl(curlLine(new URL(path, location.origin).href, verb, headers, sent))
      setAnswer(await sendRaw({ method: verb, path, headers, body: sent }))
    })
  const getToken = () =>
    run('connect', async () => {
      if (app) set('accessToken')(await connect(app, clientSecret, leaving.signal))
    })
  return (
    <SectionPage
      title={t('Try it')}
      about={t(
        'Requests of the integration surface, signed in this browser. Secrets stay in this page and are lost when you leave it.',
      )}
      actions={
        <ButtonLink href="/docs" icon="external-link" target="_blank" rel="noreferrer">
          {t('API reference')}
        </ButtonLink>
      }
    >
      {fault ? (
        <Banner kind="bad" boxed>
          {fault}
        </Banner>
      ) : null}
      <SettingGroup title={t('Credentials')}>
        <SettingRow label={t('App')}>
          <Choice
            value={app?.app_id ?? null}
            onChange={(value) => {
              setAppId(value)
              setTyped({})
            }}
            placeholder={t('No app yet')}
            options={apps.map(({ app_id, name }) => ({ value: app_id, label: name }))}
          />
        </SettingRow>
        <SettingRow label={t('Client secret')} hint={t('Shown when the app was created.')}>
          <TextField
            type="password"
            autoComplete="off"
            value={clientSecret}
            onChange={set('clientSecret')}
          />
        </SettingRow>
        <SettingRow label={t('Function key')}>
          <TextField
            type="password"
            autoComplete="off"
            value={functionKey}
            onChange={set('functionKey')}
          />
        </SettingRow>
        <SettingRow
          label={t('Access token')}
          hint={t('Connect the app as yourself to get one; it is valid for an hour.')}
        >
          <TextField
            type="password"
            autoComplete="off"
            value={accessToken}
            onChange={set('accessToken')}
          />
          <Button
            disabled={!app || !clientSecret}
            busy={busy === 'connect'}
            onClick={() => void getToken()}
          >
            {busy === 'connect' ? t('Waiting for your consent') : t('Connect')}
          </Button>
        </SettingRow>
      </SettingGroup>
      <SettingGroup title={t('Request')}>
        <SettingBody>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              void send()
            }}
          >
            <div className={styles.field}>
              <span>
                <Choice
                  label={t('Method')}
                  value={method}
                  onChange={setMethod}
                  options={methods.map((value) => ({ value, label: value }))}
                />
              </span>
              <TextField label={t('Path')} value={path} onChange={setPath} spellCheck={false} />
            </div>
            {method === 'GET' ? null : (
              <Field label={t('Body (JSON)')}>
                <TextArea value={body} onChange={setBody} rows={5} spellCheck={false} />
              </Field>
            )}
            <div>
              <Button type="submit" variant="primary" icon="send" busy={busy === 'send'}>
                {t('Send request')}
              </Button>
            </div>
          </form>
        </SettingBody>
      </SettingGroup>
      {answer ? (
        <SettingGroup title={t('Answer')}>
          <SettingBody>
            <p className={styles.answer}>
              <Status tone={answer.status < 400 ? 'good' : 'bad'}>{String(answer.status)}</Status>
              <span className={styles.quiet}>{t('{ms} ms', { ms: answer.ms })}</span>
            </p>
            <Code
              code={answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
              label={t('Copy the headers')}
              wrap
            />
            <Code code={pretty(answer.text)} label={t('Copy the answer')} />
          </SettingBody>
        </SettingGroup>
      ) : null}
      {curl ? (
        <SettingGroup title={t('As curl')} hint={t('Valid for five minutes, like its signature.')}>
          <SettingBody>
            <Code code={curl} label={t('Copy the curl line')} />
          </SettingBody>
        </SettingGroup>
      ) : null}
    </SectionPage>
  )
}

/** The path of a link if it leads to this service: credentials must not go to another. */
function ownPath(path: string | undefined): string | undefined {
  if (!path?.startsWith('/')) return undefined
  return URL.canParse(path, location.origin) &&
    new URL(path, location.origin).origin === location.origin
    ? path
    : undefined
}
