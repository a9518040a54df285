import type { Session } from '../api/session.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { changePreferences, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { Switch } from '../ui/switch.tsx'
import { t } from '../locales/text.ts'

/** The person's own preferences for the workspace. */
export default function Preferences() {
  const { preferences } = useSession()
  const { theme, density, single_keys: singleKeys } = preferences as Known
  const change = (name: keyof Known, value: unknown, label: string) => {
    const before = (preferences as Session['preferences'])[name] ?? null
    void changePreferences({ [name]: value })
      .then(() =>
        notify({
          message: t('{label} saved', { label }),
          undo: () => changePreferences({ [name]: before }).catch(notifyRefusal),
        }),
      )
      .catch(notifyRefusal)
  }
  return (
    <SectionPage title={t('Preferences')} about={t('Only for you, on every device.')}>
      <SettingGroup title={t('Look')}>
        <SettingRow label={t('Theme')}>
          <SegmentedControl
            value={theme ?? 'system'}
            onChange={(value) => change('theme', value, t('Theme'))}
            options={[
              { value: 'system', label: t('System'), icon: 'monitor' },
              { value: 'light', label: t('Light'), icon: 'sun' },
              { value: 'dark', label: t('Dark'), icon: 'moon' },
            ]}
          />
        </SettingRow>
        <SettingRow label={t('Density')} hint={t('How high the rows of lists are.')}>
          <SegmentedControl
            value={density ?? 'normal'}
            onChange={(value) => change('density', value, t('Density'))}
            options={[
              { value: 'compact', label: t('Compact') },
              { value: 'normal', label: t('Normal') },
              { value: 'comfortable', label: t('Comfortable') },
            ]}
          />
        </SettingRow>
      </SettingGroup>
      <SettingGroup title={t('Keyboard')}>
        <SettingRow
          label={t('Single keys')}
          hint={t(
            'Single letters are shortcuts, such as c for a new record. If off, only combinations with Ctrl work.',
          )}
        >
          <Switch
            checked={singleKeys !== false}
            onChange={(checked) => change('single_keys', checked, t('Single keys'))}
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
