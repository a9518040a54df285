import type { Session } from '../api/session.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { changePreferences, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { Switch } from '../ui/switch.tsx'

/** The person's own preferences for the workspace. */
export default function Preferences() {
  const { preferences } = useSession()
  const { theme, density, single_keys: singleKeys } = preferences as Known
  const change = (name: keyof Known, value: unknown, label: string) => {
    const before = (preferences as Session['preferences'])[name] ?? null
    void changePreferences({ [name]: value })
      .then(() =>
        notify({
          message: `${label} saved`,
          undo: () => changePreferences({ [name]: before }).catch(notifyRefusal),
        }),
      )
      .catch(notifyRefusal)
  }
  return (
    <SectionPage title="Preferences" about="Only for you, on every device.">
      <SettingGroup title="Look">
        <SettingRow label="Theme">
          <SegmentedControl
            value={theme ?? 'system'}
            onChange={(value) => change('theme', value, 'Theme')}
            options={[
              { value: 'system', label: 'System', icon: 'monitor' },
              { value: 'light', label: 'Light', icon: 'sun' },
              { value: 'dark', label: 'Dark', icon: 'moon' },
            ]}
          />
        </SettingRow>
        <SettingRow label="Density" hint="How high the rows of lists are.">
          <SegmentedControl
            value={density ?? 'normal'}
            onChange={(value) => change('density', value, 'Density')}
            options={[
              { value: 'compact', label: 'Compact' },
              { value: 'normal', label: 'Normal' },
              { value: 'comfortable', label: 'Comfortable' },
            ]}
          />
        </SettingRow>
      </SettingGroup>
      <SettingGroup title="Keyboard">
        <SettingRow
          label="Single keys"
          hint="Single letters are shortcuts, such as c for a new record. If off, only combinations with Ctrl work."
        >
          <Switch
            checked={singleKeys !== false}
            onChange={(checked) => change('single_keys', checked, 'Single keys')}
          />
        </SettingRow>
      </SettingGroup>
    </SectionPage>
  )
}

type Known = {
  theme?: 'system' | 'light' | 'dark'
  density?: 'compact' | 'normal' | 'comfortable'
  single_keys?: boolean
}
