import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { keys } from '../../data/keys.ts'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import { instant, number } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { t } from '../../locales/text.ts'
import results from '../results.module.css'
import { refresh, stopMailing } from './mailing.tsx'
import styles from './share.module.css'

type One = components['schemas']['SurveySchedule']

/** What was sent and what waits, each with what came of it; one that waits is looked at again until it is sent. */
export function Mailings({ survey, mayStop }: { survey: string; mayStop: boolean }) {
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.record('surveys', survey), 'schedules'],
    queryFn: async () =>
      (await api.get('/api/surveys/{id}/schedules/', { path: { id: survey } })).data,
    refetchInterval: ({ state }) => (state.data?.some(isDue) ? 3000 : false),
  })
  if (error && !data) {
    return (
      <ReadFault
        small
        title={t('The mailings could not be read')}
        error={error}
        onRetry={refetch}
      />
    )
  }
  if (!data) return <SkeletonRows count={2} />
  const shown = data.filter(({ status }) => status !== 'cancelled')
  if (!shown.length) return null
  const stop = async (each: One) => {
    await stopMailing(survey, each.schedule_id)
    notify({
      message: t('Stopped: it is not sent'),
      undo: () => again(survey, each).catch(notifyRefusal),
    })
  }
  return (
    <Card title={t('Mailings')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys */}
      <div className={results.scroll} role="region" aria-label={t('Mailings')} tabIndex={0}>
        <table className={results.table}>
          <thead>
            <tr>
              <th scope="col">{t('When')}</th>
              <th scope="col">{t('To')}</th>
              <th scope="col">{t('Opened')}</th>
              <th scope="col" colSpan={2}>
                {t('Answered')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((each) => (
              <tr key={each.schedule_id}>
                <th scope="row">{instant(each.scheduled_at_utc, format)}</th>
                <td>
                  {toWords(each)}
                  {aboutOf(each).map((words) => (
                    <p key={words} className={styles.quiet}>
                      {words}
                    </p>
                  ))}
                </td>
                <td>{each.opened_count === null ? '–' : number(each.opened_count, format)}</td>
                <td>{each.answered_count === null ? '–' : number(each.answered_count, format)}</td>
                <td className={styles.end}>
                  {mayStop && each.status === 'scheduled' ? (
                    <Button
                      size="small"
                      variant="quiet"
                      onClick={() => void stop(each).catch(notifyRefusal)}
                    >
                      {t('Stop')}
                    </Button>
                  ) : mayStop && each.status === 'sent' && each.reminders ? (
                    <Button
                      size="small"
                      variant="quiet"
                      onClick={() => void stopReminders(survey, each).catch(notifyRefusal)}
                    >
                      {t('Stop reminders')}
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function toWords({ status, sent_count, email_addresses, failure }: One): string {
  if (status === 'failed') return t('not sent: {why}', { why: failure })
  const count = status === 'sent' ? (sent_count ?? 0) : email_addresses.length
  const people = t('{count} person | {count} people', { count })
  return status === 'scheduled' ? t('{people}, waits', { people }) : people
}

/** Who was left out, and how those who have not answered are reminded. */
function aboutOf({ rested_count, reminders, reminded_count }: One): string[] {
  return [
    ...(rested_count
      ? [
          t('{count} left out, asked lately | {count} left out, asked lately', {
            count: rested_count,
          }),
        ]
      : []),
    ...(reminders
      ? [
          t(
            'Reminders after {count} day, at most {most} | Reminders after {count} days, at most {most}',
            {
              count: reminders.after_days,
              most: reminders.at_most,
            },
          ),
        ]
      : []),
    ...(reminded_count
      ? [t('{count} person reminded | {count} people reminded', { count: reminded_count })]
      : []),
  ]
}

async function stopReminders(survey: string, { schedule_id }: One): Promise<void> {
  await api.delete('/api/surveys/{id}/schedules/{schedule_id}/reminders/', {
    path: { id: survey, schedule_id },
  })
  await refresh(survey)
  notify({ message: t('Stopped: nobody is reminded any more') })
}

/** Whether a mailing is sent within minutes. */
function isDue({ status, scheduled_at_utc }: One): boolean {
  return status === 'scheduled' && new Date(scheduled_at_utc).getTime() < Date.now() + 120_000
}

/** Schedules a mailing anew that was stopped. */
async function again(survey: string, mailing: One): Promise<void> {
  const { email_addresses, custom_message, scheduled_at, timezone, reminders } = mailing
  await api.post('/api/surveys/{id}/schedule/', {
    path: { id: survey },
    body: { email_addresses, custom_message, scheduled_at, timezone, reminders },
    idempotencyKey: crypto.randomUUID(),
  })
  await refresh(survey)
}
