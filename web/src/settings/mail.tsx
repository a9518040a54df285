import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { ChoiceRow, TextRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'

/** The sender and the footer of mails. */
export default function Mail() {
  const mayChange = useMay('roles', 'update')
  const of = useSettings('/api/organization/settings/mail/', !mayChange)
  return (
    <SectionPage title="Mail" about="For every mail that this organization sends.">
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        <TextRow
          of={of}
          name="sender_name"
          label="From"
          hint="If empty, the organization’s name."
        />
        <TextRow of={of} name="reply_to" label="Reply to" type="email" />
        <TextRow of={of} name="footer" label="Footer" hint="Below every mail." lines={3} />
        <ChoiceRow
          of={of}
          name="delivery"
          label="Notifications by mail"
          hint="For people who have not chosen."
          options={[
            { value: 'immediately', label: 'At once' },
            { value: 'daily', label: 'Once a day' },
            { value: 'off', label: 'No mails' },
          ]}
        />
      </SettingGroup>
    </SectionPage>
  )
}
