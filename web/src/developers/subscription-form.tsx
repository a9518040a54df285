import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { useMay } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { OneTime } from '../ui/one-time.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import styles from './developers.module.css'
import type { EventName, Subscription } from './queries.ts'
import { appsQuery, eventsQuery, inspectorsQuery, refresh } from './queries.ts'
import { savedForConnector } from './secrets-dialog.tsx'
import { moduleWords } from '../data/module-words.ts'
import { language, t } from '../locales/text.ts'

type Props = { subscription?: Subscription; onClose: () => void }

/** Creates a webhook, or changes its events and address. */
export function SubscriptionForm({ subscription, onClose }: Props) {
  const { data: apps = [] } = useQuery(appsQuery)
  const { data: events = [] } = useQuery(eventsQuery)
  const { data: inspectors } = useQuery(inspectorsQuery)
  const mayInspect = useMay('apps', 'update')
  const [app, setApp] = useState<string | null>(subscription?.app.app_id ?? null)
  const [url, setUrl] = useState(subscription?.url ?? '')
  const [chosen, setChosen] = useState<EventName[]>(subscription?.events ?? [])
  const [where, setWhere] = useState(subscription?.where ? JSON.stringify(subscription.where) : '')
  const [fields, setFields] = useState(subscription?.fields?.join(', ') ?? '')
  const [secret, setSecret] = useState<string>()
  const through = app ?? apps[0]?.app_id ?? null
  const scopes: readonly string[] = apps.find(({ app_id }) => app_id === through)?.scopes ?? []

  const choice = { where: where.trim() || null, fields: fields.trim() || null }
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (subscription) {
      const path = { id: subscription.subscription_id }
      const body = { events: chosen, url: url.trim(), ...choice }
      await api.put('/api/webhooks/subscriptions/{id}/', { path, body })
      onClose()
    } else {
      const body = { app_id: through ?? '', events: chosen, url: url.trim(), ...choice }
      setSecret((await api.post('/api/webhooks/subscriptions/', { body })).data.secret)
    }
    void refresh('subscriptions', 'apps')
  })

  async function insertInspector() {
    try {
      const open = inspectors?.[0] ?? (await api.post('/api/webhooks/inspector/')).data
      setUrl(open.url)
      void refresh('inspectors')
    } catch (error) {
      notifyRefusal(error)
    }
  }

  if (secret) {
    return (
      <OneTime
        confirm={savedForConnector}
        title={t('The webhook is created')}
        secrets={[[t('Signing secret'), secret]]}
        onClose={onClose}
      />
    )
  }
  const byModule = Object.entries(Object.groupBy(events, ({ module }) => module))
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={subscription ? t('Edit webhook') : t('Create webhook')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {subscription ? t('Save changes') : t('Create webhook')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        {subscription ? null : (
          <Field
            label={t('App')}
            hint={t('Deliveries contain what you and the app may see.')}
            error={problem?.of('app_id')}
          >
            <Choice
              value={through}
              onChange={setApp}
              options={apps.map(({ app_id, name }) => ({ value: app_id, label: name }))}
            />
          </Field>
        )}
        <Field
          label={t('Address')}
          required
          hint={
            mayInspect
              ? t('Where it is sent to. To look at deliveries first, use the inspector.')
              : t('Where it is sent to.')
          }
          error={problem?.of('url')}
        >
          <TextField
            type="url"
            value={url}
            onChange={setUrl}
            placeholder="https://connector.example/webhooks"
            autoComplete="off"
          />
        </Field>
        {mayInspect ? (
          <div>
            <Button size="small" icon="inbox" onClick={() => void insertInspector()}>
              {t('Use the inspector’s address')}
            </Button>
          </div>
        ) : null}
        <fieldset className={styles.form}>
          <legend>{t('Events')}</legend>
          {problem?.of('events') ? (
            <p className={styles.bad} role="alert">
              {problem.of('events')}
            </p>
          ) : null}
          {byModule.map(([module, all = []]) => (
            <div key={module} role="group" aria-label={moduleWords(module)}>
              <h3>{capital(moduleWords(module))}</h3>
              <div className={styles.scopes}>
                {all.map(({ event, summary, scopes: needed, allowed }) => {
                  const fits = needed.some((scope) => scopes.includes(scope))
                  return (
                    <Checkbox
                      key={event}
                      checked={chosen.includes(event)}
                      disabled={!allowed || !fits}
                      onChange={(checked) =>
                        setChosen(
                          checked ? [...chosen, event] : chosen.filter((each) => each !== event),
                        )
                      }
                      hint={
                        !allowed
                          ? t('Your role may not read it')
                          : fits
                            ? summary
                            : t('The app lacks {scopes}', { scopes: eitherOf.format(needed) })
                      }
                    >
                      <code>{event}</code>
                    </Checkbox>
                  )
                })}
              </div>
            </div>
          ))}
        </fieldset>
        <Field
          label={t('Conditions')}
          hint={t(
            'Sends only events that meet these conditions, as JSON in the grammar of filters.',
          )}
          error={problem?.of('where')}
        >
          <TextField
            value={where}
            onChange={setWhere}
            placeholder='[{"field": "industry", "operator": "eq", "value": "Retail"}]'
            autoComplete="off"
          />
        </Field>
        <Field
          label={t('Fields')}
          hint={t('Sends only these fields of the record, separated by commas. Empty sends all.')}
          error={problem?.of('fields')}
        >
          <TextField value={fields} onChange={setFields} autoComplete="off" />
        </Field>
      </div>
    </Dialog>
  )
}

const eitherOf = new Intl.ListFormat(language, { type: 'disjunction' })
