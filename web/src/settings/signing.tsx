import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { day } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { FilePicker } from '../ui/file-picker.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import { SettingBody, SettingGroup } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Settings = components['schemas']['SigningSettings']

const queryKey = keys.setting('/api/organization/signing/')

/** The certificate and the time stamp service with which signed documents are sealed. */
export default function Signing() {
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => (await api.get('/api/organization/signing/')).data,
  })
  return (
    <SectionPage
      title={t('Signing')}
      about={t(
        'A document that everybody has signed is sealed, so that readers of PDF show who sealed it and whether it was changed.',
      )}
    >
      <Certificate certificate={data.certificate} />
      <TimeStamps stored={data.timestamp_url} />
    </SectionPage>
  )
}

function Certificate({ certificate }: Pick<Settings, 'certificate'>) {
  const format = useFormat()
  return (
    <SettingGroup title={t('Certificate')} hint={t('In whose name documents are sealed.')}>
      <SettingBody>
        {certificate ? (
          <Facts>
            <Fact label={t('Name')}>{certificate.subject}</Fact>
            <Fact label={t('Confirmed by')}>{certificate.issuer}</Fact>
            <Fact label={t('Valid')}>
              {t('{from} to {until}', {
                from: day(certificate.valid_from, format),
                until: day(certificate.valid_until, format),
              })}
            </Fact>
            <Fact label="SHA-256">{certificate.fingerprint}</Fact>
          </Facts>
        ) : (
          <p>{t('One is made here when the first document is sealed, unless you set your own.')}</p>
        )}
        {certificate?.is_made_here ? (
          <Banner boxed>
            {t(
              'Made here: readers of PDF say that this name is not confirmed. A certificate of an issuer that they know changes that.',
            )}
          </Banner>
        ) : null}
      </SettingBody>
      <SettingBody>
        <OwnCertificate />
      </SettingBody>
    </SettingGroup>
  )
}

/** A certificate with its key in a file, and the password that opens it. */
function OwnCertificate() {
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const { submit, isBusy, problem, reset } = useSubmit(async () => {
    if (!file) return
    const isText = /\.(pem|crt|key|txt)$/i.test(file.name)
    const content = isText ? { pem: await file.text() } : { p12: base64(await file.bytes()) }
    const body = { ...content, ...(password ? { password } : {}) }
    const answer = await api.put('/api/organization/signing/', { body })
    queryClient.setQueryData(queryKey, answer.data)
    setFile(undefined)
    setPassword('')
    notify({ message: t('Documents are sealed with this certificate now') })
  })
  const choose = ([first]: File[]) => {
    reset()
    setFile(first)
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field
        label={t('Your own certificate')}
        hint={t('A file with its key: .p12, .pfx or .pem.')}
        error={problem?.of('p12') ?? problem?.of('pem')}
      >
        <span>
          <FilePicker
            label={t('Choose a file')}
            accept=".p12,.pfx,.pem,.crt,.key"
            onFiles={choose}
          />{' '}
          {file?.name}
        </span>
      </Field>
      {file ? (
        <>
          <Field
            label={t('Password')}
            hint={t('What opens the file. It is not stored.')}
            optional
            error={problem?.of('password')}
          >
            <TextField type="password" autoComplete="off" value={password} onChange={setPassword} />
          </Field>
          <ProblemBanner problem={problem} />
          <div>
            <Button type="submit" variant="primary" busy={isBusy}>
              {t('Use this certificate')}
            </Button>
          </div>
        </>
      ) : null}
    </form>
  )
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The service that confirms when a seal was made; it is tried before it is saved. */
function TimeStamps({ stored }: { stored: string | null }) {
  const [url, setUrl] = useState(stored ?? '')
  const save = useSubmit(async (next: string | null) => {
    const body = { timestamp_url: next }
    const answer = await api.put('/api/organization/signing/', { body })
    queryClient.setQueryData(queryKey, answer.data)
    setUrl(answer.data.timestamp_url ?? '')
    notify({
      message: next ? t('The service answers, and is used from now on') : t('No service is used'),
    })
  })
  const { problem } = save
  return (
    <SettingGroup
      title={t('Time stamps')}
      hint={t(
        'A service (RFC 3161) that confirms when each seal was made. It gets a checksum, never the document.',
      )}
    >
      <SettingBody>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            save.submit(url.trim() || null)
          }}
        >
          <Field label={t('Address')} error={problem?.of('timestamp_url')}>
            <TextField
              type="url"
              placeholder="https://timestamp.example.com"
              value={url}
              onChange={setUrl}
            />
          </Field>
          <ProblemBanner problem={problem} />
          <div>
            <Button type="submit" busy={save.isBusy} disabled={(url.trim() || null) === stored}>
              {url.trim() || !stored ? t('Try and save') : t('Use no service')}
            </Button>
          </div>
        </form>
      </SettingBody>
    </SettingGroup>
  )
}
