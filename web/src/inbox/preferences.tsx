import { useQuery } from '@tanstack/react-query'
import type { Preferences as All } from '../data/inbox.ts'
import { changeNotifying, preferencesQuery } from '../data/inbox.ts'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import styles from './preferences.module.css'
import { t } from '../locales/text.ts'

const kinds: { [kind in keyof All]: string } = {
  mention: t('Somebody mentions me'),
  comment: t('Somebody replies to me'),
  assignment: t('A task is assigned to me'),
  due: t('A task of mine is due soon'),
  overdue: t('A task of mine is overdue'),
  signature: t('A document is signed or declined'),
  survey_response: t('A survey of mine is answered'),
  meeting: t('A meeting is answered, moved or cancelled'),
  system: t('Messages of the workspace'),
}

const mails = [
  { value: 'off', label: t('No mail') },
  { value: 'immediately', label: t('At once') },
  { value: 'daily', label: t('Once a day') },
]

type Props = { onClose: () => void }

/** The person's notification preferences, here and by mail; each choice is saved at once. */
export default function Preferences({ onClose }: Props) {
  const { data } = useQuery(preferencesQuery)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      size="large"
      title={t('Notifications')}
      description={t('Choose what comes to your inbox and what is mailed to you.')}
    >
      {data ? (
        <ul className={styles.list}>
          <li className={styles.names} aria-hidden="true">
            <span className={styles.kind} />
            <span className={styles.mail}>{t('By mail')}</span>
            <span>{t('Inbox')}</span>
          </li>
          {(Object.keys(kinds) as (keyof All)[]).map((kind) => (
            <li key={kind}>
              <span className={styles.kind}>{kinds[kind]}</span>
              <span className={styles.mail}>
                <Choice
                  label={t('Mail when: {event}', { event: kinds[kind] })}
                  value={data[kind].email}
                  options={mails}
                  onChange={(email) => {
                    if (email)
                      void changeNotifying({ [kind]: { email: email as All['mention']['email'] } })
                  }}
                />
              </span>
              <Switch
                label={t('In the inbox: {event}', { event: kinds[kind] })}
                checked={data[kind].in_app}
                onChange={(in_app) => void changeNotifying({ [kind]: { in_app } })}
              />
            </li>
          ))}
        </ul>
      ) : (
        <SkeletonRows count={9} />
      )}
    </Dialog>
  )
}
