import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { keys } from '../../data/keys.ts'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import { queryClient } from '../../data/query-client.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { viewsQuery } from '../../data/views.ts'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/choice.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { t } from '../../locales/text.ts'
import { addressesIn } from './addresses.ts'
import { isFinal, requestKey } from './request-key.ts'
import styles from './share.module.css'

/** How long a mailing waits in which it can be taken back. */
const holdSeconds = 30
/** How whoever has not answered is reminded: after how many days, and how often. */
const reminders = [
  { value: '3', label: t('Once, after 3 days'), after_days: 3, at_most: 1 },
  { value: '7', label: t('Once, after a week'), after_days: 7, at_most: 1 },
  { value: '3,3', label: t('Twice, each after 3 days'), after_days: 3, at_most: 2 },
  { value: '7,7', label: t('Twice, each after a week'), after_days: 7, at_most: 2 },
]
/** How many people one mailing can have. */
const most = 1000

/** A mail with a link of their own to each of some people, now or later. */
export function Mailing({ survey }: { survey: string }) {
  const format = useFormat()
  const [to, setTo] = useState('')
  const [message, setMessage] = useState('')
  const [later, setLater] = useState<string | null>(null)
  const [remind, setRemind] = useState<string | null>(null)
  const { addresses, wrong } = addressesIn(to)
  const count = addresses.length
  const [key] = useState(requestKey)
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!count) return
    const body = {
      email_addresses: addresses,
      custom_message: message.trim() || null,
      reminders: remindersOf(remind),
      ...(later ? { scheduled_at: later } : { in_seconds: holdSeconds }),
      timezone: format.timezone,
    }
    const sending = api.post('/api/surveys/{id}/schedule/', {
      path: { id: survey },
      body,
      idempotencyKey: key.of(body),
    })
    const { data } = await sending.catch((error: unknown) => {
      if (isFinal(asProblem(error))) key.renew()
      throw error
    })
    key.renew()
    setTo('')
    setLater(null)
    await refresh(survey)
    notify({
      message: later
        ? t('Goes out {at}', { at: instant(data.scheduled_at_utc, format) })
        : t('Goes out in 30 seconds'),
      undo: () =>
        stopMailing(survey, data.schedule_id)
          .then(() => {
            setTo(to)
            setLater(later)
          })
          .catch(notifyRefusal),
    })
  })
  const tooMany = count > most ? t('At most {most} people at once', { most }) : undefined
  const people = { count }
  return (
    <Card title={t('Mail')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          label={t('To')}
          hint={t('E-mail addresses, one after the other or pasted from a list')}
          error={problem?.of('email_addresses') ?? tooMany}
        >
          <TextArea value={to} onChange={setTo} rows={3} />
        </Field>
        {wrong.length ? (
          <p className={styles.warn} role="status">
            {t('Left out, since they are no addresses: {wrong}', { wrong: wrong.join(', ') })}
          </p>
        ) : null}
        <Contacts onAdd={(more) => setTo([to.trim(), ...more].filter(Boolean).join('\n'))} />
        <Field
          label={t('Message')}
          hint={t('Without one, the mail says that you would like to hear from them.')}
        >
          <TextArea value={message} onChange={setMessage} maxLength={5000} rows={3} />
        </Field>
        <Field
          label={t('Later, at')}
          hint={t('Now without a time. In the zone {zone}.', { zone: format.timezone })}
          error={problem?.of('scheduled_at') ?? problem?.message}
        >
          <DateField kind="datetime" value={later} onChange={setLater} />
        </Field>
        <Field label={t('Remind whoever has not answered')} error={problem?.of('reminders')}>
          <Choice
            value={remind}
            placeholder={t('Never')}
            clearable
            options={reminders.map(({ value, label }) => ({ value, label }))}
            onChange={setRemind}
          />
        </Field>
        <div className={styles.acts}>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!count || count > most}>
            {later
              ? t('Schedule for {count} person | Schedule for {count} people', people)
              : t('Send to {count} person | Send to {count} people', people)}
          </Button>
          <p className={styles.quiet}>
            {t('Who wants no surveys, or no contact, or was asked lately is left out.')}
          </p>
        </div>
      </form>
    </Card>
  )
}

function remindersOf(value: string | null) {
  const found = reminders.find((each) => each.value === value)
  return found ? { after_days: found.after_days, at_most: found.at_most } : null
}

/** Adds the addresses of the contacts of a saved view. */
function Contacts({ onAdd }: { onAdd: (addresses: string[]) => void }) {
  const session = useSession()
  const isAllowed = levelOf(session, 'contacts', 'read') !== 'none'
  const { data: views } = useQuery({ ...viewsQuery('contacts'), enabled: isAllowed })
  const { submit, isBusy } = useSubmit(async (view: string) => {
    try {
      const found = await addressesOf(view)
      onAdd(found.slice(0, most))
      if (found.length > most) {
        notify({ message: t('The view has more contacts: the first {most} are added', { most }) })
      }
    } catch (error) {
      notifyRefusal(error)
    }
  })
  if (!views?.length) return null
  return (
    <Choice
      label={t('Add the contacts of a view')}
      placeholder={isBusy ? t('Reading…') : t('Add the contacts of a view')}
      disabled={isBusy}
      value={null}
      options={views.map(({ filter_id, name }) => ({ value: filter_id, label: name }))}
      onChange={(view) => {
        if (view) submit(view)
      }}
    />
  )
}

/** The addresses of a view, at most as many as show that one mailing cannot have them all. */
async function addressesOf(filter_id: string): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; found.length <= most; page++) {
    const { data } = await api.get('/api/contact/', {
      query: { filter_id, page, items_per_page: 500, fields: 'primary_email' },
    })
    found.push(...data.flatMap(({ primary_email: email }) => email ?? []))
    if (data.length < 500) break
  }
  return found
}

/** Takes a mailing back that waits. */
export async function stopMailing(survey: string, schedule_id: string): Promise<void> {
  await api.delete('/api/surveys/{id}/schedules/{schedule_id}/', {
    path: { id: survey, schedule_id },
  })
  await refresh(survey)
}

export function refresh(survey: string): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: [...keys.record('surveys', survey), 'schedules'],
  })
}
