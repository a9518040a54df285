import { Link } from '@tanstack/react-router'
import type { MeetingAnswer } from '../data/calendar.ts'
import { answerMeeting } from '../data/calendar.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './quick.module.css'
import type { Entry } from './entries.ts'
import { timeWords } from './words.ts'
import { t } from '../locales/text.ts'

const answers: { response: MeetingAnswer; label: string }[] = [
  { response: 'accepted', label: t('Yes') },
  { response: 'tentative', label: t('Maybe') },
  { response: 'declined', label: t('No') },
]
const words: { [response: string]: string } = {
  accepted: t('yes'),
  tentative: t('maybe'),
  declined: t('no'),
  needs_action: t('no answer yet'),
}
/** How many people are named. */
const most = 8

type Props = {
  entry: Entry
  zone2: string | undefined
  onMore: () => void
  onClose: () => void
}

/** What a meeting is, above the calendar: when, where, who, and one's answer. */
export default function QuickLook({ entry, zone2, onMore, onClose }: Props) {
  const format = useFormat()
  const { meeting, response, zone } = entry
  const { title, location, link, project, calendar_id: id, attendees } = meeting
  const isCancelled = meeting.is_meeting_cancelled
  return (
    <Dialog open title={title} onOpenChange={(open) => !open && onClose()}>
      <div className={styles.look}>
        <ul className={styles.facts}>
          {isCancelled ? <li className={styles.warn}>{t('Cancelled [meeting]')}</li> : null}
          <li>
            <Icon name="clock" />
            <span>
              {timeWords(meeting, zone, format)}
              {zone2 && !meeting.all_day ? (
                <small>{timeWords(meeting, zone2, format)}</small>
              ) : null}
            </span>
          </li>
          {location ? (
            <li>
              <Icon name="map-pin" />
              {location}
            </li>
          ) : null}
          {project?.project_id ? (
            <li>
              <Icon name="folder-kanban" />
              <Link to="/projects/$id/{-$tab}" params={{ id: project.project_id }}>
                {project.project_name}
              </Link>
            </li>
          ) : null}
          {attendees.slice(0, most).map(({ id: person, name, email, response: answer }) => (
            <li key={person ?? email ?? name}>
              <Avatar name={name ?? email ?? ''} size={20} />
              <span className={styles.person}>{name ?? email}</span>
              <small>{words[answer]}</small>
            </li>
          ))}
          {attendees.length > most ? (
            <li>{t('and {count} more', { count: attendees.length - most })}</li>
          ) : null}
        </ul>
        {response && !isCancelled ? (
          <div className={styles.row} role="group" aria-label={t('Your answer')}>
            {answers.map(({ response: answer, label }) => (
              <Button
                key={answer}
                size="small"
                aria-pressed={response === answer}
                variant={response === answer ? 'primary' : 'secondary'}
                onClick={() => void answerMeeting(meeting, answer, response)}
              >
                {label}
              </Button>
            ))}
          </div>
        ) : null}
        <div className={styles.row}>
          {link && /^https?:/.test(link) && !isCancelled ? (
            <ButtonLink
              size="small"
              variant="primary"
              href={link}
              target="_blank"
              rel="noreferrer noopener"
            >
              {t('Join')}
            </ButtonLink>
          ) : null}
          <ButtonLink size="small" render={<Link to="/meetings/$id/{-$tab}" params={{ id }} />}>
            {t('Open')}
          </ButtonLink>
          <Button size="small" variant="quiet" icon="more" onClick={onMore}>
            {t('More')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
