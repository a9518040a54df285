import { useState } from 'react'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { PersonField } from '../ui/person-field.tsx'
import type { User } from './people-queries.ts'
import { findPeople } from './people-queries.ts'
import { t } from '../locales/text.ts'

type Props = { user: User; onSave: (person: Person | null) => void; onClose: () => void }

/** To whom somebody reports, which defines teams. */
export function ReportsToDialog({ user, onSave, onClose }: Props) {
  const { reports_to: before } = user
  const [person, setPerson] = useState<Person | null>(
    before ? { id: before.user_id, name: before.full_name, image: before.profile_image } : null,
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Who {full_name} reports to', { full_name: user.full_name })}
      description={t(
        'Rights of the level “team” include people who report to somebody directly or indirectly.',
      )}
      onSubmit={() => {
        onSave(person)
        onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('Save')}
          </Button>
        </>
      }
    >
      <Field label={t('Reports to')}>
        <PersonField value={person} onChange={setPerson} search={findPeople} clearable />
      </Field>
    </Dialog>
  )
}
