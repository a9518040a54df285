import type { Attendee } from '../calendar/invited.ts'
import { invitedOf } from '../calendar/invited.ts'
import { personAt, searchInvitees } from '../calendar/invitees.ts'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import type { SectionProps } from '../records/definition.ts'
import { useMay, useMayOf } from '../data/session.ts'
import { later } from '../records/later.tsx'
import type { Person } from '../ui/avatar.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { Status } from '../ui/status.tsx'
import styles from './meetings.module.css'
import { t } from '../locales/text.ts'

const FindTime = later(() => import('./find-time.tsx'), 'shown')
const MailedAnswers = later(() => import('./mailed-answers.tsx'), 'shown')

const responses = {
  accepted: { tone: 'good', label: t('Accepted') },
  tentative: { tone: 'warn', label: t('Tentative') },
  declined: { tone: 'bad', label: t('Declined') },
  needs_action: { tone: 'quiet', label: t('No answer yet') },
} as const

/** Who is invited, and what they answered; and when all of them are free. */
export default function Attendees({ record, module }: SectionProps) {
  const all = Array.isArray(record.attendees) ? (record.attendees as Attendee[]) : []
  const mayDecide = useMayOf('calendar', record, 'update') && !record.is_meeting_cancelled
  // who is free is read for new meetings
  const mayAsk = useMay('calendar', 'create')
  const id = String(record.calendar_id)
  const invite = (attendees: Attendee[], message: string) =>
    changeRecord(module, id, { attendees }, { message }).then(() => {}, notifyRefusal)
  const others = (one: Attendee) => all.filter((each) => each !== one)
  return (
    <div className={styles.people}>
      {mayDecide ? (
        <Field label={t('Invite people')}>
          <PersonField
            multiple
            placeholder={t('Add people')}
            value={[]}
            search={searchInvitees}
            onChange={(people) => void add(people)}
            onInvite={(text) => {
              const person = personAt(text)
              if (person) void add([person])
            }}
          />
        </Field>
      ) : null}
      {mayDecide ? <MailedAnswers id={id} /> : null}
      {all.length ? null : <Empty small icon="users" title={t('Nobody is invited')} />}
      <ul>
        {all.map((each) => {
          const { email, name, response, is_optional: isOptional } = each
          const words = name ?? email ?? ''
          return (
            <li key={each.id ?? email ?? name}>
              <Avatar name={words} size={28} />
              <span className={styles.words}>
                <span>{words}</span>
                <small>
                  {[name ? email : null, isOptional ? t('optional') : null]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
              <Status tone={responses[response].tone}>{responses[response].label}</Status>
              {mayDecide ? (
                <IconButton
                  icon="x"
                  label={t('Take out {name}', { name: words })}
                  onClick={() =>
                    void invite(others(each), t('{name} was taken out', { name: words }))
                  }
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {mayDecide && mayAsk && !record.repeat ? (
        <FindTime {...{ record, module }} people={all} />
      ) : null}
    </div>
  )

  function add(people: Person[]) {
    const added = people
      .map(attendeeOf)
      .filter((person) => !all.some((each) => isSame(each, person)))
    if (!added.length) return undefined
    const names = added.map(({ name, email }) => name ?? email).join(', ')
    return invite([...all, ...added], t('{names} invited', { names }))
  }
}

function attendeeOf(person: Person): Attendee {
  const { type, id = null, email = person.email ?? null } = invitedOf(person)
  const name = type === 'external' ? null : person.name
  return { type, id, email, name, is_optional: false, response: 'needs_action' }
}

function isSame(one: Attendee, other: Attendee): boolean {
  if (one.id !== null && one.id === other.id) return true
  return one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase()
}
