import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SwitchRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { t } from '../locales/text.ts'

/** How everybody signs in. */
export default function Security() {
  const of = useSettings('/api/organization/security/')
  return (
    <SectionPage title={t('Security')} about={t('How everybody in the organization signs in.')}>
      <SettingGroup>
        <SwitchRow
          of={of}
          name="requires_one_time_codes"
          label={t('Require one-time codes')}
          hint={t(
            'Everybody who signs in with a password also needs a code. People without codes can do nothing else until they have set them up. Set up your own codes first.',
          )}
        />
      </SettingGroup>
    </SectionPage>
  )
}
