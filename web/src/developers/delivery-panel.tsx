import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { useMay } from '../data/session.ts'
import { instant, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { ReadFault } from '../records/read-fault.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Status } from '../ui/status.tsx'
import { deliveryStates } from './delivery-states.ts'
import styles from './developers.module.css'
import { pretty } from './pretty.ts'
import { deliveryQuery, refresh } from './queries.ts'
import { t } from '../locales/text.ts'

/** One delivery: its request, the answer, its attempts and the next one. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const format = useFormat()
  const mayUpdate = useMay('apps', 'update')
  const [isBusy, setBusy] = useState(false)
  const { data, error, isPending, refetch } = useQuery(deliveryQuery(id))
  const resend = async () => {
    setBusy(true)
    await api.post('/api/webhooks/deliveries/{id}/resend/', { path: { id } }).catch(notifyRefusal)
    await refresh('delivery', 'deliveries', 'subscriptions')
    setBusy(false)
  }
  const [tone, word] = data ? deliveryStates[data.status] : (['quiet', ''] as const)
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title={data?.event ?? t('Delivery')}
      footer={
        data && mayUpdate ? (
          <Button icon="rotate-ccw" busy={isBusy} onClick={() => void resend()}>
            {t('Resend')}
          </Button>
        ) : null
      }
    >
      {isPending ? <SkeletonRows count={5} /> : null}
      {error ? (
        <ReadFault
          small
          title={t('This delivery could not be read')}
          error={error}
          onRetry={refetch}
        />
      ) : null}
      {data ? (
        <div className={styles.form}>
          <Facts>
            <Fact label={t('State')}>
              <Status tone={tone}>{word}</Status>
            </Fact>
            <Fact label={t('Created')}>{instant(data.creation_time, format)}</Fact>
            <Fact label={t('Attempts')}>{data.attempts}</Fact>
            <Fact label={t('Next try')}>
              {data.next_attempt_at ? relative(data.next_attempt_at, format) : null}
            </Fact>
            <Fact label={t('Delivered')}>
              {data.delivered_at ? instant(data.delivered_at, format) : null}
            </Fact>
            <Fact label={t('App')}>{data.app.name}</Fact>
            <Fact label="webhook-id">{data.delivery_id}</Fact>
          </Facts>
          <section className={styles.form}>
            <h3>{t('Answer')}</h3>
            {data.answer ? (
              <>
                <p className={styles.answer}>
                  <Status tone={isGood(data.answer.status) ? 'good' : 'bad'}>
                    {data.answer.status === null ? t('No answer') : String(data.answer.status)}
                  </Status>
                  <span className={styles.quiet}>
                    {[
                      data.answer.duration_ms === null
                        ? null
                        : t('{duration_ms} ms', { duration_ms: data.answer.duration_ms }),
                      data.answer.error,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </p>
                {data.answer.excerpt ? (
                  <Code code={pretty(data.answer.excerpt)} label={t('Copy the answer')} wrap />
                ) : null}
              </>
            ) : (
              <p className={styles.quiet}>{t('Nothing was answered yet.')}</p>
            )}
          </section>
          <section className={styles.form}>
            <h3>{t('Request')}</h3>
            <Code
              code={[
                `${data.request.method} ${data.request.url}`,
                ...Object.entries(data.request.headers).map(([name, value]) => `${name}: ${value}`),
              ].join('\n')}
              label={t('Copy the headers')}
              wrap
            />
            {data.request.body === null ? (
              <p className={styles.quiet}>
                {t('Its body would not be sent now, or you may not see it.')}
              </p>
            ) : (
              <Code code={pretty(data.request.body)} label={t('Copy the body')} />
            )}
          </section>
        </div>
      ) : null}
    </Drawer>
  )
}

function isGood(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
