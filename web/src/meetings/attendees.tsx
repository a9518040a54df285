import type { components } from '../api/schema.d.ts'
import type { SectionProps } from '../records/definition.ts'
import { useMayOf } from '../data/session.ts'
import { later } from '../records/later.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Empty } from '../ui/empty.tsx'
import { Status } from '../ui/status.tsx'
import styles from './meetings.module.css'
import { t } from '../locales/text.ts'

type Attendee = components['schemas']['Attendee']

const MailedAnswers = later(() => import('./mailed-answers.tsx'), 'shown')

const responses = {
  accepted: { tone: 'good', label: t('Accepted') },
  tentative: { tone: 'warn', label: t('Tentative') },
  declined: { tone: 'bad', label: t('Declined') },
  needs_action: { tone: 'quiet', label: t('No answer yet') },
} as const

/** Who is invited, and what they answered. */
export default function Attendees({ record }: SectionProps) {
  const all = Array.isArray(record.attendees) ? (record.attendees as Attendee[]) : []
  const mayDecide = useMayOf('calendar', record, 'update')
  if (!all.length) return <Empty small icon="users" title={t('Nobody is invited')} />
  return (
    <div className={styles.people}>
      {mayDecide ? <MailedAnswers id={String(record.calendar_id)} /> : null}
      <ul>
        {all.map(({ id, email, name, response, is_optional: isOptional }) => (
          <li key={id ?? email ?? name}>
            <Avatar name={name ?? email ?? ''} size={28} />
            <span className={styles.words}>
              <span>{name ?? email}</span>
              <small>
                {[name ? email : null, isOptional ? t('optional') : null]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            <Status tone={responses[response].tone}>{responses[response].label}</Status>
          </li>
        ))}
      </ul>
    </div>
  )
}
