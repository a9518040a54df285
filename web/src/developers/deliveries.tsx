import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../data/session.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty } from '../ui/empty.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Status } from '../ui/status.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { deliveryStates } from './delivery-states.ts'
import styles from './developers.module.css'
import type { DeliveryStatus, EventName } from './queries.ts'
import { deliveriesQuery, eventsQuery, subscriptionsQuery } from './queries.ts'
import { ResendFailed } from './resend-failed.tsx'
import { t } from '../locales/text.ts'

/** Every delivery of the last thirty days, by webhook, state and event. */
export default function Deliveries() {
  const format = useFormat()
  const [subscription, setSubscription] = useSearchValue('subscription')
  const [status, setStatus] = useSearchValue('status')
  const [event, setEvent] = useSearchValue('event')
  const [open, setOpen] = useSearchValue('delivery')
  const [limit, setLimit] = useState(50)
  const [isResending, setResending] = useState(false)
  const mayUpdate = useMay('apps', 'update')
  const { data: subscriptions = [] } = useQuery(subscriptionsQuery)
  const { data: events = [] } = useQuery(eventsQuery)
  const { data, isPending, error, refetch } = useQuery(
    deliveriesQuery(
      {
        ...(subscription ? { subscription_id: subscription } : {}),
        ...(status ? { status: status as DeliveryStatus } : {}),
        ...(event ? { event: event as EventName } : {}),
      },
      limit,
    ),
  )
  const chosen = subscriptions.find(({ subscription_id }) => subscription_id === subscription)
  const isFiltered = Boolean(subscription ?? status ?? event)
  return (
    <SectionPage
      title={t('Deliveries')}
      about={t(
        'Every delivery of the last 30 days, with its request and the answer. New ones appear by themselves.',
      )}
      actions={
        mayUpdate && chosen ? (
          <Button icon="rotate-ccw" onClick={() => setResending(true)}>
            {t('Resend all failed')}
          </Button>
        ) : null
      }
    >
      <div className={styles.filters} role="group" aria-label={t('Filter deliveries')}>
        <Choice
          label={t('Webhook')}
          placeholder={t('All webhooks')}
          clearable
          value={subscription ?? null}
          onChange={(value) => setSubscription(value ?? undefined)}
          options={subscriptions.map(({ subscription_id, url }) => ({
            value: subscription_id,
            label: url,
          }))}
        />
        <Choice
          label={t('State')}
          placeholder={t('All states')}
          clearable
          value={status ?? null}
          onChange={(value) => setStatus(value ?? undefined)}
          options={Object.entries(deliveryStates).map(([value, [, label]]) => ({ value, label }))}
        />
        <Choice
          label={t('Event')}
          placeholder={t('All events')}
          clearable
          value={event ?? null}
          onChange={(value) => setEvent(value ?? undefined)}
          options={events.map(({ event: value }) => ({ value, label: value }))}
        />
      </div>
      <SettingGroup>
        {isPending ? <SkeletonRows count={6} /> : null}
        {error ? (
          <ReadFault
            small
            title={t('Deliveries could not be read')}
            error={error}
            onRetry={refetch}
          />
        ) : null}
        {(data?.results ?? []).map((each) => {
          const [tone, word] = deliveryStates[each.status]
          return (
            <ItemRow
              key={each.delivery_id}
              name={
                <button type="button" onClick={() => setOpen(each.delivery_id)}>
                  {each.event}
                </button>
              }
              marks={<Status tone={tone}>{word}</Status>}
              actions={
                <>
                  {each.answer?.status ? <span>{each.answer.status}</span> : null}
                  <time dateTime={each.creation_time}>{relative(each.creation_time, format)}</time>
                </>
              }
            >
              {t('{url} · {count} attempt | {url} · {count} attempts', {
                url: each.url,
                count: each.attempts,
              })}
              {each.next_attempt_at
                ? ` · ${t('next try {relative}', { relative: relative(each.next_attempt_at, format) })}`
                : ''}
            </ItemRow>
          )
        })}
        {data?.results.length === 0 ? (
          isFiltered ? (
            <Empty small icon="filter" title={t('No delivery matches')}>
              {t('Choose other filters, or wait for the next event.')}
            </Empty>
          ) : (
            <Empty small icon="send" title={t('Nothing was sent yet')}>
              {t('Create a webhook, then change a record: its delivery appears here.')}
            </Empty>
          )
        ) : null}
      </SettingGroup>
      {data?.next_cursor && limit < 100 ? (
        <p className={styles.filters}>
          <Button onClick={() => setLimit(100)}>{t('Show more')}</Button>
        </p>
      ) : null}
      {open ? <DeliveryPanel id={open} onClose={() => setOpen()} /> : null}
      {isResending && chosen ? (
        <ResendFailed of={chosen} onClose={() => setResending(false)} />
      ) : null}
    </SectionPage>
  )
}
