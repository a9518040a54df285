import { useState } from 'react'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { PersonField } from '../ui/person-field.tsx'
import type { User } from './people-queries.ts'
import { findPeople } from './people-queries.ts'

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
      title={`Who ${user.full_name} reports to`}
      description="Rights of the level “team” include people who report to somebody directly or indirectly."
      onSubmit={() => {
        onSave(person)
        onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Save
          </Button>
        </>
      }
    >
      <Field label="Reports to">
        <PersonField value={person} onChange={setPerson} search={findPeople} clearable />
      </Field>
    </Dialog>
  )
}
