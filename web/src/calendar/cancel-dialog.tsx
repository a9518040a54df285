import { useState } from 'react'
import { cancelMeeting, orTold } from './moves.ts'
import { useSession } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import { TextArea } from '../ui/text-area.tsx'
import type { Entry } from './entries.ts'
import { zoneOf } from './entries.ts'
import styles from './quick.module.css'
import { t } from '../locales/text.ts'

/** Cancels a meeting with a note to those invited; of a series one date, or all. */
export default function CancelDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { organization, user } = useSession()
  const { meeting } = entry
  const [note, setNote] = useState('')
  const [scope, setScope] = useState<'one' | 'all'>(meeting.series_start ? 'one' : 'all')
  const others = meeting.attendees.filter(({ id }) => id !== user.user_id).length
  const { submit, isBusy, problem } = useSubmit(async () => {
    const zone = zoneOf(meeting) ?? organization.timezone
    await orTold(cancelMeeting({ meeting, scope, note, zone }))
    onClose()
  })
  return (
    <Dialog
      open
      title={t('Cancel “{title}”', { title: meeting.title })}
      description={
        others
          ? t('1 person is told by mail. | {count} people are told by mail.', { count: others })
          : undefined
      }
      onOpenChange={(open) => !open && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('Back')}
          </Button>
          <Button variant="danger" type="submit" busy={isBusy}>
            {scope === 'one' ? t('Drop this date') : t('Cancel meeting')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {problem ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        {meeting.series_start ? (
          <RadioGroup
            label={t('Meetings of the series')}
            value={scope}
            options={[
              { value: 'one', label: t('This one') },
              { value: 'all', label: t('All of the series') },
            ]}
            onChange={(next) => setScope(next === 'one' ? 'one' : 'all')}
          />
        ) : null}
        {scope === 'all' ? (
          <Field label={t('Note')} optional>
            <TextArea value={note} onChange={setNote} maxLength={2000} />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}
