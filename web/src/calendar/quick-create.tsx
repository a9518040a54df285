import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createMeeting } from '../data/calendar.ts'
import { fieldOf, moduleQuery } from '../data/modules.ts'
import { useMay, useSession } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import { searchLinked } from '../records/field/choices.ts'
import { useFormat } from '../records/field/use-format.ts'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { Option } from '../ui/option.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { ProblemBanner } from '../ui/problem-banner.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './quick.module.css'
import { minutesOf, timeOf } from './days.ts'
import { busyKeysOf, namedOf } from './busy-keys.ts'
import { FreeStrip } from './free-strip.tsx'
import type { Slot } from './hours.ts'
import { instantOf } from './hours.ts'
import { invitedOf } from './invited.ts'
import { personAt, searchInvitees } from './invitees.ts'
import { zoneWords } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  slot: Slot
  onClose: () => void
  onChange: (slot: Slot) => void
  /** shows the form with all fields */
  onPlain?: () => void
}

/** A new meeting at a time: what it is, who comes, and where. */
export default function QuickCreate({ slot, onClose, onChange, onPlain }: Props) {
  const format = useFormat()
  const { timezone } = format
  const { user } = useSession()
  const { day, from, to } = slot
  const [title, setTitle] = useState('')
  const [location, setLocation] = useState('')
  const [people, setPeople] = useState<Person[]>([])
  const [project, setProject] = useState<Option | null>(null)
  const [key] = useState(() => crypto.randomUUID())
  const { submit, isBusy, problem } = useSubmit(async () => {
    await createMeeting(
      {
        title: title.trim(),
        start: instantOf(day, from, timezone),
        end: instantOf(day, to, timezone),
        attendees: people.map(invitedOf),
        ...(project ? { project: project.value } : {}),
        ...(location.trim() ? { location: location.trim() } : {}),
      },
      key,
    )
    onClose()
  })
  const invite = people.length
    ? t('Invite {count}', { count: people.length })
    : t('Add to calendar')
  return (
    <Dialog
      open
      title={t('New meeting')}
      onOpenChange={(open) => !open && onClose()}
      onSubmit={submit}
      footer={
        <>
          {onPlain ? (
            <Button variant="quiet" onClick={onPlain}>
              {t('All fields')}
            </Button>
          ) : null}
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button variant="primary" type="submit" busy={isBusy} disabled={!title.trim()}>
            {invite}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ProblemBanner problem={problem} />
        <Field label={t('Title')} required error={problem?.of('title')}>
          <TextField autoFocus value={title} onChange={setTitle} maxLength={255} />
        </Field>
        <div className={styles.times}>
          <Field label={t('Day')}>
            <DateField value={day} onChange={(next) => next && onChange({ ...slot, day: next })} />
          </Field>
          <Field label={t('From')} error={problem?.of('start')}>
            <DateField
              kind="time"
              value={timeOf(from)}
              // its end follows, so that it lasts as long
              onChange={(next) =>
                next && onChange({ day, from: minutesOf(next), to: minutesOf(next) + to - from })
              }
            />
          </Field>
          <Field label={t('To')} hint={zoneWords(timezone, day, format)} error={problem?.of('end')}>
            <DateField
              kind="time"
              value={timeOf(to % 1440)}
              onChange={(next) => {
                if (!next) return
                const end = minutesOf(next)
                onChange({ day, from, to: end > from ? end : end + 1440 })
              }}
            />
          </Field>
        </div>
        <Field label={t('People')} error={problem?.of('attendees')}>
          <PersonField
            multiple
            value={people}
            search={searchInvitees}
            onChange={setPeople}
            placeholder={t('Add people')}
            onInvite={(text) => {
              const person = personAt(text)
              if (person) setPeople((before) => [...before, person])
            }}
          />
        </Field>
        {people.length ? (
          <FreeStrip
            people={busyKeysOf([
              { type: 'user', id: user.user_id, email: user.email },
              ...people.map(namedOf),
            ])}
            {...{ slot, onChange }}
          />
        ) : null}
        <ProjectField value={project} error={problem?.of('project')} onChange={setProject} />
        <Field label={t('Place')} error={problem?.of('location')}>
          <TextField value={location} onChange={setLocation} maxLength={1000} />
        </Field>
      </div>
    </Dialog>
  )
}

function ProjectField({
  value,
  error,
  onChange,
}: {
  value: Option | null
  error: string | undefined
  onChange: (option: Option | null) => void
}) {
  const mayRead = useMay('projects', 'read')
  const { data: tasks } = useQuery({ ...moduleQuery('tasks'), enabled: mayRead })
  const field = tasks && fieldOf(tasks, 'project_id')
  if (!mayRead || !field) return null
  return (
    <Field label={t('Project')} error={error}>
      <Combobox
        clearable
        placeholder={t('Choose a project')}
        searchLabel={t('Search projects')}
        load={searchLinked(field)}
        {...{ value, onChange }}
      />
    </Field>
  )
}
