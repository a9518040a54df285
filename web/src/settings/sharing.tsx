import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SwitchRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

const kinds = [
  ['tasks', t('Tasks'), t('New tasks are shared with customers')],
  ['milestones', t('Milestones'), t('New milestones are shared with customers')],
  ['documents', t('Documents'), t('New documents are shared with customers')],
  ['meetings', t('Meetings'), t('New meetings are shared with customers')],
  ['comments', t('Comments'), t('New comments are shared with customers')],
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
        {kinds.map(([name, label, hint]) => (
          <SwitchRow key={name} of={of} name={name} label={label} hint={hint} />
        ))}
      </SettingGroup>
    </SectionPage>
  )
}
