import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import type { MailedAnswer } from '../data/meeting-answers.ts'
import { mailedAnswersQuery, settleProposal } from '../data/meeting-answers.ts'
import { notify } from '../data/notices.ts'
import type { Format } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './meetings.module.css'
import { t } from '../locales/text.ts'

/** Why a mail changed nothing. */
const reasons: { [reason in NonNullable<MailedAnswer['reason']>]: string } = {
  unverified: t('Nothing shows that it is really from this address'),
  other_sender: t('It answers for somebody else'),
  not_invited: t('This address is not invited'),
  other_meeting: t('It is about another meeting'),
  unknown_version: t('It answers an invitation that was never sent'),
  over: t('The meeting was over or cancelled'),
  old_version: t('The meeting has changed since it was asked'),
  older_answer: t('A later answer had come in already'),
  no_such_date: t('The meeting does not take place on this date'),
  no_answer: t('It says neither yes, no nor maybe, and no other time'),
  replaced: t('A later proposal replaced it'),
  repeated: t('The invitation was mailed again within the hour'),
}

/** What calendar programs have answered by mail: other times to decide on, single dates, and what was kept apart. */
export default function MailedAnswers({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(mailedAnswersQuery(id))
  if (error && !data) {
    const title = t('Answers by mail could not be read')
    return <ReadFault small title={title} error={error} onRetry={refetch} />
  }
  const all = data ?? []
  const open = all.filter(({ state }) => state === 'open')
  const said = all.filter(
    ({ state, occurrence, comment, kind }) =>
      state === 'accepted' ||
      state === 'kept' ||
      (state === 'taken' && kind === 'reply' && (occurrence ?? comment)),
  )
  const apart = all.filter(({ state }) => state === 'stale' || state === 'forged')
  return (
    <>
      {open.length ? (
        <section aria-label={t('Another time is proposed')}>
          {open.map((each) => (
            <Proposal key={each.answer_id} id={id} answer={each} />
          ))}
        </section>
      ) : null}
      {said.length ? (
        <section className={styles.mailed}>
          <h3>{t('Said by mail')}</h3>
          <ul>
            {said.map((each) => (
              <Said key={each.answer_id} answer={each} />
            ))}
          </ul>
        </section>
      ) : null}
      {apart.length ? (
        <details className={styles.mailed}>
          <summary>
            {t('1 mail was kept apart | {count} mails were kept apart', { count: apart.length })}
          </summary>
          <ul>
            {apart.map((each) => (
              <Apart key={each.answer_id} answer={each} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}

function Proposal({ id, answer }: { id: string; answer: MailedAnswer }) {
  const format = useFormat()
  const [deciding, setDeciding] = useState<'accept' | 'keep'>()
  const { comment, occurrence } = answer
  const decide = async (decision: 'accept' | 'keep') => {
    setDeciding(decision)
    try {
      await settleProposal(id, answer.answer_id, decision)
      notify({
        message:
          decision === 'accept'
            ? t('The meeting is moved, and everybody else is asked again')
            : t('The meeting stays as it is, and {name} is told by mail', { name: nameOf(answer) }),
      })
    } catch (error) {
      notifyRefusal(error)
    } finally {
      setDeciding(undefined)
    }
  }
  return (
    <div className={styles.proposal}>
      <Icon name="clock" />
      <div className={styles.words}>
        <strong>
          {t('{name} proposes {time}', { name: nameOf(answer), time: timeOf(answer, format) })}
        </strong>
        {occurrence ? (
          <small>{t('In place of {date}', { date: dateOf(occurrence, format) })}</small>
        ) : null}
        {comment ? <q>{comment}</q> : null}
      </div>
      <div className={styles.decide}>
        <Button
          variant="primary"
          busy={deciding === 'accept'}
          disabled={deciding === 'keep'}
          onClick={() => void decide('accept')}
        >
          {t('Accept')}
        </Button>
        <Button
          busy={deciding === 'keep'}
          disabled={deciding === 'accept'}
          onClick={() => void decide('keep')}
        >
          {t('Keep')}
        </Button>
      </div>
    </div>
  )
}

/** An answer for one date or with a comment, or a proposal that is settled. */
function Said({ answer }: { answer: MailedAnswer }) {
  const format = useFormat()
  const { state, occurrence, comment, kind } = answer
  const name = nameOf(answer)
  return (
    <li>
      <span className={styles.words}>
        <span>
          {kind === 'counter'
            ? state === 'accepted'
              ? t('{name} proposed {time}: accepted', { name, time: timeOf(answer, format) })
              : t('{name} proposed {time}: not taken', { name, time: timeOf(answer, format) })
            : occurrence
              ? dateWords(answer, dateOf(occurrence, format))
              : name}
        </span>
        {comment ? <q>{comment}</q> : null}
      </span>
    </li>
  )
}

function Apart({ answer }: { answer: MailedAnswer }) {
  const format = useFormat()
  const { email, reason, creation_time: time } = answer
  return (
    <li>
      <span className={styles.words}>
        <span>{email || t('No sender')}</span>
        <small>
          {[reason ? reasons[reason] : '', dateOf(time, format)].filter(Boolean).join(' · ')}
        </small>
      </span>
    </li>
  )
}

function dateWords(answer: MailedAnswer, date: string): string {
  const name = nameOf(answer)
  if (answer.response === 'accepted') return t('{name} comes on {date}', { name, date })
  if (answer.response === 'declined') return t('{name} does not come on {date}', { name, date })
  return t('{name} may come on {date}', { name, date })
}

const nameOf = ({ name, email }: MailedAnswer) => name ?? email

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
const hour = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const

function dateOf(time: string, { locale, timezone }: Format): string {
  return new Intl.DateTimeFormat(locale, { timeZone: timezone, ...day }).format(new Date(time))
}

/** The proposed time, in the person's own zone. */
function timeOf({ start, end, all_day: isAllDay }: MailedAnswer, format: Format): string {
  if (!start || !end) return ''
  const options = { timeZone: format.timezone, ...day, ...(isAllDay ? {} : hour) }
  return new Intl.DateTimeFormat(format.locale, options).formatRange(new Date(start), new Date(end))
}
