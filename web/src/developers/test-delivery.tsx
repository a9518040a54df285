import { useState } from 'react'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import styles from './developers.module.css'
import type { EventName, Subscription } from './queries.ts'
import { t } from '../locales/text.ts'

/** Sends a sample to a webhook's address and shows the answer. */
export function TestDelivery({ of, onClose }: { of: Subscription; onClose: () => void }) {
  const [event, setEvent] = useState<EventName | null>(of.events[0] ?? null)
  const [answer, setAnswer] = useState<components['schemas']['TestDelivery']>()
  const { submit, isBusy, problem } = useSubmit(async () => {
    const body = { subscription_id: of.subscription_id, ...(event ? { event } : {}) }
    setAnswer((await api.post('/api/webhooks/test/', { body })).data)
  })
  const isGood = answer?.status === 'success'
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={t('Send a test')}
      description={t('A sample with "test": true goes to {url}.', { url: of.url })}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {answer ? t('Send again') : t('Send test')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label={t('Event')} error={problem?.of('event')}>
          <Choice
            value={event}
            onChange={(value) => setEvent(value as EventName | null)}
            options={of.events.map((value) => ({ value, label: value }))}
          />
        </Field>
        {problem ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        {answer ? (
          <>
            <Banner kind={isGood ? 'good' : 'bad'} boxed>
              {answer.response_status
                ? t('Answered {response_status} in {duration_ms} ms', {
                    response_status: answer.response_status,
                    duration_ms: answer.duration_ms,
                  })
                : answer.error
                  ? t('No answer: {error}', { error: answer.error })
                  : t('No answer')}
            </Banner>
            {answer.response_excerpt ? <Code code={answer.response_excerpt} wrap /> : null}
          </>
        ) : null}
      </div>
    </Dialog>
  )
}
