import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SwitchRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'

/** How everybody signs in. */
export default function Security() {
  const of = useSettings('/api/organization/security/')
  return (
    <SectionPage title="Security" about="How everybody in the organization signs in.">
      <SettingGroup>
        <SwitchRow
          of={of}
          name="requires_one_time_codes"
          label="Require one-time codes"
          hint="Whoever signs in with a password needs a code, too. Who has none yet can only set them up until then. You need codes of your own first."
        />
      </SettingGroup>
    </SectionPage>
  )
}
