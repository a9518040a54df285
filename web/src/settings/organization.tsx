import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { keys } from '../data/keys.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useMay, useSession } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { FilePicker } from '../ui/file-picker.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { WorkingHours } from './working-hours.tsx'
import { currencies, languages, shortWeekdays, weekdays, zones } from './choices.ts'
import { ColorRow } from './color-row.tsx'
import { ChoiceRow, TextRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

const path = '/api/organization/settings/'

/** Name, look and region of the organization. */
export default function Organization() {
  const { user, organization } = useSession()
  const mayChange = useMay('roles', 'update')
  const of = useSettings(path, !mayChange)
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.setting(path) }),
      queryClient.invalidateQueries({ queryKey: keys.session }),
    ])
  const upload = async (file: File) => {
    const body = new FormData()
    body.append('file', file)
    await api.put('/api/organization/settings/logo/', { body })
    await refresh()
    notify({ message: t('Logo saved') })
  }
  const remove = async () => {
    await api.delete('/api/organization/settings/logo/')
    await refresh()
    notify({ message: t('Logo removed') })
  }
  const days = of.values.working_days
  return (
    <SectionPage
      title={t('General')}
      about={t('Changes here are for everybody in {organization}.', {
        organization: organization.name,
      })}
    >
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        <TextRow of={of} name="name" label={t('Name')} isRequired />
        <SettingRow
          label={t('Logo')}
          hint={t('PNG, JPEG, GIF or WebP, at most 256 KiB. Everybody can load it.')}
        >
          <Avatar name={of.values.name} image={of.values.logo_url} size={32} square />
          {mayChange ? (
            <FilePicker
              label={t('Upload logo')}
              accept="image/png,image/jpeg,image/gif,image/webp"
              onFiles={([file]) => {
                if (file) void upload(file).catch(notifyRefusal)
              }}
            />
          ) : null}
          {mayChange && of.values.logo_url ? (
            <Button onClick={() => void remove().catch(notifyRefusal)}>{t('Remove')}</Button>
          ) : null}
        </SettingRow>
        <ColorRow
          of={of}
          name="primary_color"
          label={t('Main color')}
          hint={t('Of buttons and headings on pages for customers and in mails.')}
        />
        <ColorRow
          of={of}
          name="accent_color"
          label={t('Second color')}
          hint={t('Of links and marks.')}
        />
      </SettingGroup>
      <SettingGroup title={t('Region')}>
        <ChoiceRow
          of={of}
          name="currency_unit"
          label={t('Currency')}
          hint={t('Of new records.')}
          options={currencies(user.locale)}
        />
        <ChoiceRow
          of={of}
          name="timezone"
          label={t('Time zone')}
          hint={t('Decides what is due today, for everybody.')}
          options={zones()}
        />
        <ChoiceRow
          of={of}
          name="language"
          label={t('Language')}
          hint={t('Of mails and pages for people who have not chosen one.')}
          options={languages}
        />
      </SettingGroup>
      <SettingGroup title={t('Week')}>
        <ChoiceRow
          of={of}
          name="week_start"
          label={t('First day of the week')}
          asNumber
          options={weekdays.map((label, i) => ({ value: String(i + 1), label }))}
        />
        <SettingRow
          label={t('Working days')}
          hint={t('Due dates of templates and plans count these.')}
          error={of.errors.working_days}
        >
          {weekdays.map((label, i) => (
            <Checkbox
              key={label}
              checked={days.includes(i + 1)}
              disabled={!mayChange}
              onChange={(checked) =>
                void of.save(
                  {
                    working_days: checked
                      ? [...days, i + 1].sort((a, b) => a - b)
                      : days.filter((day) => day !== i + 1),
                  },
                  t('Working days saved'),
                )
              }
            >
              {shortWeekdays[i]}
            </Checkbox>
          ))}
        </SettingRow>
        <WorkingHours
          spans={of.values.working_hours}
          hint={t(
            'Of everybody without hours of their own. Empty for 8 to 18 on the working days.',
          )}
          error={of.errors.working_hours}
          isReadOnly={!mayChange}
          onSave={(working_hours, message) => of.save({ working_hours }, message)}
        />
      </SettingGroup>
      <SettingGroup title={t('Plans')}>
        <SettingRow
          label={t('Milestones')}
          hint={t(
            'Completed with the last of their tasks, and in progress again with the first that is opened.',
          )}
          error={of.errors.complete_milestones}
        >
          <Checkbox
            checked={of.values.complete_milestones}
            disabled={!mayChange}
            onChange={(complete_milestones) =>
              void of.save({ complete_milestones }, t('Milestones saved'))
            }
          >
            {t('Complete themselves')}
          </Checkbox>
        </SettingRow>
      </SettingGroup>
    </SectionPage>
  )
}
