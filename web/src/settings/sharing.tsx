import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { SwitchRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'

const kinds = [
  ['tasks', 'Tasks'],
  ['milestones', 'Milestones'],
  ['documents', 'Documents'],
  ['meetings', 'Meetings'],
  ['comments', 'Comments'],
] as const

/** Whether new records are shared with customers. */
export default function Sharing() {
  const mayChange = useMay('roles', 'update')
  const of = useSettings('/api/organization/settings/sharing/', !mayChange)
  return (
    <SectionPage
      title="Sharing"
      about="Whether what somebody creates is shared with customers unless they say otherwise. What exists stays as it is."
    >
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        {kinds.map(([name, label]) => (
          <SwitchRow
            key={name}
            of={of}
            name={name}
            label={label}
            hint={`New ${label.toLowerCase()} are shared with customers`}
          />
        ))}
      </SettingGroup>
    </SectionPage>
  )
}
