import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SwitchRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

const kinds = [
  ['tasks', t('Tasks')],
  ['milestones', t('Milestones')],
  ['documents', t('Documents')],
  ['meetings', t('Meetings')],
  ['comments', t('Comments')],
] as const

/** Whether new records are shared with customers. */
export default function Sharing() {
  const mayChange = useMay('roles', 'update')
  const of = useSettings('/api/organization/settings/sharing/', !mayChange)
  return (
    <SectionPage
      title={t('Sharing')}
      about={t(
        'Whether what somebody creates is shared with customers unless they say otherwise. What exists stays as it is.',
      )}
    >
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        {kinds.map(([name, label]) => (
          <SwitchRow
            key={name}
            of={of}
            name={name}
            label={label}
            hint={t('New {label} are shared with customers', { label: label.toLowerCase() })}
          />
        ))}
      </SettingGroup>
    </SectionPage>
  )
}
