import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { useMay } from '../data/session.ts'
import { instant } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Empty } from '../ui/empty.tsx'
import { ItemRow, SettingBody, SettingGroup } from '../ui/setting.tsx'
import { pretty } from './pretty.ts'
import type { Inspector } from './queries.ts'
import { inspectorsQuery, refresh } from './queries.ts'
import { t } from '../locales/text.ts'

/** Receives deliveries for ten minutes and shows them. */
export default function InspectorSection() {
  const { data: all } = useSuspenseQuery(inspectorsQuery)
  const mayOpen = useMay('apps', 'update')
  const [isBusy, setBusy] = useState(false)
  const now = useNow()
  const live = all.filter(({ expires_at }) => Date.parse(expires_at) > now)
  const open = async () => {
    setBusy(true)
    await api.post('/api/webhooks/inspector/').catch(notifyRefusal)
    await refresh('inspectors')
    setBusy(false)
  }
  const opener = mayOpen ? (
    <Button variant="primary" icon="plus" busy={isBusy} onClick={() => void open()}>
      {t('Open inspector')}
    </Button>
  ) : null
  return (
    <SectionPage
      title={t('Inspector')}
      about={t(
        'An address that receives webhooks of this installation for ten minutes. What arrives appears here at once.',
      )}
      actions={live.length ? opener : null}
    >
      {live.map((each) => (
        <Received key={each.inspector_id} of={each} now={now} mayClose={mayOpen} />
      ))}
      {live.length ? null : (
        <SettingGroup>
          <Empty icon="inbox" title={t('No inspector is open')} action={opener}>
            {t('Open one, then use its address in a webhook, or send a test to it.')}
          </Empty>
        </SettingGroup>
      )}
    </SectionPage>
  )
}

function Received({ of, now, mayClose }: { of: Inspector; now: number; mayClose: boolean }) {
  const format = useFormat()
  const [shown, setShown] = useState<string>()
  const close = () =>
    void api
      .delete('/api/webhooks/inspector/{id}/', { path: { id: of.inspector_id } })
      .catch(notifyRefusal)
      .then(() => refresh('inspectors'))
  const sendTest = () =>
    void api
      .post('/api/webhooks/test/', { body: { url: of.url } })
      .catch(notifyRefusal)
      .then(() => refresh('inspectors'))
  const left = Math.max(0, Math.round((Date.parse(of.expires_at) - now) / 1000))
  return (
    <SettingGroup
      title={t('Open for {time}', {
        time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`,
      })}
      hint={t('Deliveries appear below as they arrive.')}
      actions={
        mayClose ? (
          <>
            <Button onClick={sendTest} icon="send">
              {t('Send a test')}
            </Button>
            <Button onClick={close}>{t('Close')}</Button>
          </>
        ) : null
      }
    >
      <SettingBody>
        <Code code={of.url} label={t('Copy the address')} wrap />
      </SettingBody>
      <div role="log" aria-label={t('Deliveries received')}>
        {of.deliveries.map((each) => (
          <div key={`${each.id} ${each.received_at}`}>
            <ItemRow
              name={
                <button
                  type="button"
                  aria-expanded={shown === each.id}
                  onClick={() => setShown(shown === each.id ? undefined : each.id)}
                >
                  {eventIn(each.body)}
                </button>
              }
              actions={<time dateTime={each.received_at}>{instant(each.received_at, format)}</time>}
            >
              {each.id}
            </ItemRow>
            {shown === each.id ? (
              <SettingBody>
                <Code
                  code={Object.entries(each.headers)
                    .map(([name, value]) => `${name}: ${String(value)}`)
                    .join('\n')}
                  label={t('Copy the headers')}
                  wrap
                />
                <Code code={pretty(each.body)} label={t('Copy the body')} />
              </SettingBody>
            ) : null}
          </div>
        ))}
      </div>
      {of.deliveries.length ? null : (
        <Empty small icon="clock" title={t('Waiting for the first delivery')} as="h3">
          <Link to="/developers/$section" params={{ section: 'webhooks' }}>
            {t('Use the address in a webhook and change a record, or send a test.')}
          </Link>
        </Empty>
      )}
    </SettingGroup>
  )
}

function eventIn(body: string): string {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }
    return typeof type === 'string' ? type : t('Delivery')
  } catch {
    return t('Delivery')
  }
}

/** The current time, updated each second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
