import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { useMay } from '../data/session.ts'
import { instant } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Code, CopyButton } from '../ui/code.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { ItemRow, SettingBody, SettingGroup, SettingRow } from '../ui/setting.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tag, Tags } from '../ui/tag.tsx'
import { AppForm } from './app-form.tsx'
import type { App, AppWithSecrets } from './queries.ts'
import { appConnectionsQuery, refresh, scopesQuery } from './queries.ts'
import { SecretsDialog } from './secrets-dialog.tsx'
import { t } from '../locales/text.ts'

type Step = 'edit' | 'delete' | 'client_secret' | 'function_key'

/** The page of one app: what it may do, its secrets, who has connected it. */
export function AppPage({ app, onClose }: { app: App; onClose: () => void }) {
  const [step, setStep] = useState<Step>()
  const [rotated, setRotated] = useState<AppWithSecrets>()
  const [isBusy, setBusy] = useState(false)
  const { data: words = [] } = useQuery(scopesQuery)
  const mayUpdate = useMay('apps', 'update')
  const mayDelete = useMay('apps', 'delete')
  const path = { id: app.app_id }
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true)
    await action().catch(notifyRefusal)
    setBusy(false)
    setStep(undefined)
  }
  const rotate = (which: 'client_secret' | 'function_key') =>
    run(async () => {
      const body = {
        client_secret: which === 'client_secret',
        function_key: which === 'function_key',
      }
      setRotated((await api.post('/api/apps/{id}/rotate/', { path, body })).data)
      await refresh('apps')
    })
  const remove = () =>
    run(async () => {
      await api.delete('/api/apps/{id}/', { path })
      notify({ message: t('{name} deleted', { name: app.name }) })
      onClose()
      await refresh('apps', 'subscriptions')
    })
  return (
    <SectionPage
      title={app.name}
      about={app.description}
      actions={
        <>
          <Button icon="arrow-left" onClick={onClose}>
            {t('All apps')}
          </Button>
          {mayUpdate ? (
            <Button icon="pencil" onClick={() => setStep('edit')}>
              {t('Edit')}
            </Button>
          ) : null}
        </>
      }
    >
      <SettingGroup title={t('Credentials')} hint={t('Every call of the API is signed with them.')}>
        <SettingBody>
          <Code code={app.client_id} label={t('Copy the client id')} wrap />
        </SettingBody>
        <SettingRow
          label={t('Client secret')}
          hint={t('Signs calls and exchanges codes. Stored unreadably.')}
        >
          {mayUpdate ? (
            <Button onClick={() => setStep('client_secret')}>{t('Rotate client secret')}</Button>
          ) : (
            t('Not shown')
          )}
        </SettingRow>
        <SettingRow label={t('Function key')} hint={t('Goes with every call as x-functions-key.')}>
          {mayUpdate ? (
            <Button onClick={() => setStep('function_key')}>{t('Rotate function key')}</Button>
          ) : (
            t('Not shown')
          )}
        </SettingRow>
      </SettingGroup>
      <SettingGroup title={t('What it may do')}>
        <SettingBody>
          {app.scopes.length ? (
            <Tags>
              {app.scopes.map((scope) => (
                <Tag key={scope} neutral>
                  {words.find((each) => each.scope === scope)?.description ?? scope}
                </Tag>
              ))}
            </Tags>
          ) : (
            t('Nothing yet: give it scopes by editing it.')
          )}
        </SettingBody>
      </SettingGroup>
      <SettingGroup title={t('Redirect addresses')}>
        {app.redirect_uris.map((address) => (
          <ItemRow
            key={address}
            name={address}
            actions={<CopyButton text={address} label={t('Copy the address')} />}
          />
        ))}
        {app.redirect_uris.length ? null : (
          <SettingBody>{t('None. People can connect it once it has one.')}</SettingBody>
        )}
      </SettingGroup>
      <Connections app={app} mayEnd={mayUpdate} />
      {mayDelete ? (
        <SettingGroup title={t('Delete')}>
          <SettingRow
            label={t('Delete this app')}
            hint={t('Its connections, tokens and webhooks end at once. This cannot be undone.')}
          >
            <Button variant="danger" onClick={() => setStep('delete')}>
              {t('Delete app')}
            </Button>
          </SettingRow>
        </SettingGroup>
      ) : null}
      {step === 'edit' ? <AppForm app={app} onClose={() => setStep(undefined)} /> : null}
      {rotated ? <SecretsDialog app={rotated} onClose={() => setRotated(undefined)} /> : null}
      <ConfirmDialog
        open={step === 'delete'}
        onOpenChange={() => setStep(undefined)}
        title={t('Delete {name}?', { name: app.name })}
        description={t(
          '{connections} connections and {subscriptions} webhooks end at once, and the people who connected it are notified. This cannot be undone.',
          { connections: app.connections, subscriptions: app.subscriptions },
        )}
        confirm={t('Delete app')}
        busy={isBusy}
        onConfirm={() => void remove()}
      />
      <ConfirmDialog
        open={step === 'client_secret' || step === 'function_key'}
        onOpenChange={() => setStep(undefined)}
        title={
          step === 'function_key' ? t('Rotate the function key?') : t('Rotate the client secret?')
        }
        description={t(
          'The old one stops working at once: the connector fails until it has the new one.',
        )}
        confirm={step === 'function_key' ? t('Rotate function key') : t('Rotate client secret')}
        busy={isBusy}
        onConfirm={() => {
          if (step === 'client_secret' || step === 'function_key') void rotate(step)
        }}
      />
    </SectionPage>
  )
}

/** The connections of the app, each of which can be ended. */
function Connections({ app, mayEnd }: { app: App; mayEnd: boolean }) {
  const format = useFormat()
  const { data, isPending } = useQuery(appConnectionsQuery(app.app_id))
  const [ending, setEnding] = useState<{ id: string; name: string }>()
  const end = async (id: string) => {
    const path = { id: app.app_id, connection_id: id }
    await api.delete('/api/apps/{id}/connections/{connection_id}/', { path }).catch(notifyRefusal)
    setEnding(undefined)
    await refresh('apps')
  }
  return (
    <SettingGroup title={t('Connections')} hint={t('The people for whom it acts.')}>
      {isPending ? <SkeletonRows count={2} /> : null}
      {(data ?? []).map(({ connection_id, user, scopes, last_used_at, creation_time }) => (
        <ItemRow
          key={connection_id}
          lead={<Avatar name={user.full_name} size={24} />}
          name={user.full_name}
          actions={
            mayEnd ? (
              <Button
                size="small"
                onClick={() => setEnding({ id: connection_id, name: user.full_name })}
              >
                {t('Revoke')}
              </Button>
            ) : null
          }
        >
          {last_used_at
            ? t(
                '{count} scope · connected {connected} · last used {used} | {count} scopes · connected {connected} · last used {used}',
                {
                  count: scopes.length,
                  connected: instant(creation_time, format),
                  used: instant(last_used_at, format),
                },
              )
            : t(
                '{count} scope · connected {connected} · not used yet | {count} scopes · connected {connected} · not used yet',
                { count: scopes.length, connected: instant(creation_time, format) },
              )}
        </ItemRow>
      ))}
      {data?.length === 0 ? (
        <Empty small icon="link" title={t('Nobody has connected it')} as="h3">
          {t('Connect it for yourself under “Try it”, or send people to its consent page.')}
        </Empty>
      ) : null}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={t('Revoke the connection of {name}?', { name: ending?.name ?? '' })}
        description={t('Its tokens stop working at once, and its webhooks end.')}
        confirm={t('Revoke connection')}
        onConfirm={() => {
          if (ending) void end(ending.id)
        }}
      />
    </SettingGroup>
  )
}
