import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { useMay } from '../data/session.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { Menu } from '../ui/menu.tsx'
import { OneTime } from '../ui/one-time.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import type { Tone } from '../ui/status.tsx'
import { Status } from '../ui/status.tsx'
import { ResendFailed } from './resend-failed.tsx'
import type { Subscription } from './queries.ts'
import { refresh, subscriptionsQuery } from './queries.ts'
import { savedForConnector } from './secrets-dialog.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { TestDelivery } from './test-delivery.tsx'
import { t } from '../locales/text.ts'

type Step = { kind: 'edit' | 'delete' | 'test' | 'rotate' | 'resend'; of: Subscription }

/** The subscriptions with their health. */
export default function Webhooks() {
  const { data: all } = useSuspenseQuery(subscriptionsQuery)
  const [isCreating, setCreating] = useState(false)
  const [step, setStep] = useState<Step>()
  const [secret, setSecret] = useState<string>()
  const mayCreate = useMay('apps', 'create')
  const close = () => setStep(undefined)
  const path = { id: step?.of.subscription_id ?? '' }
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('Create webhook')}
    </Button>
  )
  const remove = async () => {
    await api.delete('/api/webhooks/subscriptions/{id}/', { path })
    notify({ message: t('Webhook deleted') })
  }
  const rotate = async () => {
    const { data } = await api.post('/api/webhooks/subscriptions/{id}/rotate-secret/', { path })
    setSecret(data.secret)
  }
  const run = (action: () => Promise<void>) =>
    void action()
      .catch(notifyRefusal)
      .then(() => {
        close()
        return refresh('subscriptions', 'deliveries', 'apps')
      })
  return (
    <SectionPage
      title={t('Webhooks')}
      about={t('Events are sent to your address, signed, and retried until they have arrived.')}
      actions={mayCreate && all.length ? create : null}
    >
      <SettingGroup>
        {all.map((each) => (
          <Row
            key={each.subscription_id}
            of={each}
            onStep={(kind) => setStep({ kind, of: each })}
          />
        ))}
        {all.length ? null : (
          <Empty
            small
            icon="webhook"
            title={t('No webhooks yet')}
            action={mayCreate ? create : null}
          >
            {t(
              'Choose events and an address. With the inspector as address you see deliveries here.',
            )}
          </Empty>
        )}
      </SettingGroup>
      {isCreating || step?.kind === 'edit' ? (
        <SubscriptionForm
          {...(step ? { subscription: step.of } : {})}
          onClose={() => {
            setCreating(false)
            close()
          }}
        />
      ) : null}
      {step?.kind === 'test' ? <TestDelivery of={step.of} onClose={close} /> : null}
      {step?.kind === 'resend' ? <ResendFailed of={step.of} onClose={close} /> : null}
      {secret ? (
        <OneTime
          confirm={savedForConnector}
          title={t('The new secret of the webhook')}
          secrets={[[t('Signing secret'), secret]]}
          onClose={() => setSecret(undefined)}
        />
      ) : null}
      <ConfirmDialog
        open={step?.kind === 'delete'}
        onOpenChange={close}
        title={t('Delete this webhook?')}
        description={t(
          'Nothing more is sent to {url}, and its deliveries leave the log. This cannot be undone.',
          { url: step?.of.url ?? '' },
        )}
        confirm={t('Delete webhook')}
        onConfirm={() => run(remove)}
      />
      <ConfirmDialog
        open={step?.kind === 'rotate'}
        onOpenChange={close}
        title={t('Rotate the secret?')}
        description={t(
          'For 24 hours deliveries are signed with the previous secret, too, so that nothing is lost while you change it.',
        )}
        confirm={t('Rotate secret')}
        danger={false}
        onConfirm={() => run(rotate)}
      />
    </SectionPage>
  )
}

const tones: { [state: string]: [Tone, string] } = {
  unused: ['quiet', t('Nothing sent yet')],
  healthy: ['good', t('Healthy')],
  failing: ['bad', t('Failing')],
  paused: ['bad', t('Paused')],
  disabled: ['quiet', t('Disabled')],
}

function Row({ of, onStep }: { of: Subscription; onStep: (kind: Step['kind']) => void }) {
  const format = useFormat()
  const mayUpdate = useMay('apps', 'update')
  const mayDelete = useMay('apps', 'delete')
  const { health, events, app, user } = of
  const [tone, word] = tones[health.state] ?? ['quiet', health.state]
  const failed = health.failing + health.exhausted + health.dropped
  const turn = async (on: boolean, isUndo = false) => {
    const path = { id: of.subscription_id }
    if (on) await api.post('/api/webhooks/subscriptions/{id}/enable/', { path })
    else await api.post('/api/webhooks/subscriptions/{id}/disable/', { path })
    await refresh('subscriptions')
    if (isUndo) return
    notify({
      message: on ? t('Webhook enabled') : t('Webhook disabled'),
      undo: () => turn(!on, true).catch(notifyRefusal),
    })
  }
  const resume = async () => {
    await api.post('/api/webhooks/subscriptions/{id}/enable/', {
      path: { id: of.subscription_id },
    })
    await refresh('subscriptions', 'deliveries')
    notify({ message: t('One delivery is tried, and the others follow when it arrives') })
  }
  const items: MenuItem[] = [
    ...(mayUpdate
      ? ([
          { label: t('Send a test'), icon: 'send', onSelect: () => onStep('test') },
          ...(of.is_own
            ? [{ label: t('Edit'), icon: 'pencil', onSelect: () => onStep('edit') } as const]
            : []),
          ...(health.state === 'paused'
            ? [
                {
                  label: t('Try now'),
                  icon: 'send',
                  onSelect: () => void resume().catch(notifyRefusal),
                } as const,
              ]
            : []),
          of.status === 'active'
            ? {
                label: t('Disable'),
                icon: 'circle',
                onSelect: () => void turn(false).catch(notifyRefusal),
              }
            : {
                label: t('Enable'),
                icon: 'circle-check',
                onSelect: () => void turn(true).catch(notifyRefusal),
              },
          { label: t('Rotate secret'), icon: 'key', onSelect: () => onStep('rotate') },
          { label: t('Resend what failed'), icon: 'rotate-ccw', onSelect: () => onStep('resend') },
        ] satisfies MenuItem[])
      : []),
    ...(mayDelete
      ? ([
          { kind: 'separator' },
          { label: t('Delete'), icon: 'trash', danger: true, onSelect: () => onStep('delete') },
        ] satisfies MenuItem[])
      : []),
  ]
  return (
    <ItemRow
      lead={<Icon name="webhook" />}
      name={<LinkToDeliveries of={of} />}
      marks={<Status tone={tone}>{word}</Status>}
      actions={
        items.length ? (
          <Menu
            align="end"
            items={items}
            trigger={<IconButton icon="more" label={t('Actions for {url}', { url: of.url })} />}
          />
        ) : null
      }
    >
      <div>
        {events.length > 3 ? t('{count} events', { count: events.length }) : events.join(', ')}
        {` · ${t('{app}, as {person}', { app: app.name, person: user.full_name })}`}
      </div>
      <div>
        {t('{delivered} delivered · {pending} waiting · {failed} failed', {
          delivered: health.delivered,
          pending: health.pending,
          failed,
        })}
        {health.dropped_deliveries
          ? ` · ${t('{count} dropped, since too many waited', { count: health.dropped_deliveries })}`
          : ''}
        {health.last_delivered_at
          ? ` · ${t('last {relative}', { relative: relative(health.last_delivered_at, format) })}`
          : ''}
        {health.failing_since
          ? ` · ${t('failing since {relative}', { relative: relative(health.failing_since, format) })}`
          : ''}
        {health.paused_until
          ? ` · ${t('paused, tried {relative}', { relative: relative(health.paused_until, format) })}`
          : ''}
        {health.next_attempt_at && !health.paused_until
          ? ` · ${t('next try {relative}', { relative: relative(health.next_attempt_at, format) })}`
          : ''}
      </div>
    </ItemRow>
  )
}

/** Its address, which leads to what was sent there. */
function LinkToDeliveries({ of }: { of: Subscription }) {
  return (
    <Link
      to="/developers/$section"
      params={{ section: 'deliveries' }}
      search={{ subscription: of.subscription_id }}
    >
      {of.url}
    </Link>
  )
}
