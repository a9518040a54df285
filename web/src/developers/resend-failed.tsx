import { useState } from 'react'
import { api } from '../api/client.ts'
import { notify } from '../data/notices.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { Subscription } from './queries.ts'
import { refresh } from './queries.ts'
import { t } from '../locales/text.ts'

/** Resends deliveries that have failed since a day. */
export function ResendFailed({ of, onClose }: { of: Subscription; onClose: () => void }) {
  const [yesterday] = useState(() => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))
  const [since, setSince] = useState<string | null>(
    of.health.failing_since?.slice(0, 10) ?? yesterday,
  )
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { data } = await api.post('/api/webhooks/deliveries/resend-failed/', {
      body: { subscription_id: of.subscription_id, since: `${since ?? yesterday}T00:00:00Z` },
    })
    notify({
      message: data.failed
        ? data.has_more
          ? t('{failed} deliveries are sent again; there are more', { failed: data.failed })
          : t('{failed} deliveries are sent again', { failed: data.failed })
        : t('Everything has arrived since then'),
    })
    await refresh('deliveries', 'subscriptions')
    onClose()
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Resend what failed')}
      description={t(
        'Deliveries to {url} that have not arrived, with the same webhook-id as before.',
        { url: of.url },
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Resend all failed')}
          </Button>
        </>
      }
    >
      <Field label={t('Since (UTC)')} error={problem?.message}>
        <DateField value={since} onChange={setSince} />
      </Field>
    </Dialog>
  )
}
