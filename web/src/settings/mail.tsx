import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { ChoiceRow, TextRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

/** The sender and the footer of mails. */
export default function Mail() {
  const mayChange = useMay('roles', 'update')
  const of = useSettings('/api/organization/settings/mail/', !mayChange)
  return (
    <SectionPage title={t('Mail')} about={t('For every mail that this organization sends.')}>
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        <TextRow
          of={of}
          name="sender_name"
          label={t('From [sender]')}
          hint={t('If empty, the organization’s name.')}
        />
        <TextRow of={of} name="reply_to" label={t('Reply to')} type="email" />
        <TextRow
          of={of}
          name="footer"
          label={t('Footer')}
          hint={t('Below every mail.')}
          lines={3}
        />
        <ChoiceRow
          of={of}
          name="delivery"
          label={t('Notifications by mail')}
          hint={t('For people who have not chosen.')}
          options={[
            { value: 'immediately', label: t('At once') },
            { value: 'daily', label: t('Once a day') },
            { value: 'off', label: t('No mails') },
          ]}
        />
        <ChoiceRow
          of={of}
          name="survey_rest_days"
          label={t('One survey a person at most every')}
          hint={t(
            'Mailings of surveys leave out who was asked within these days, and say how many. Reminders of the same mailing do not count.',
          )}
          asNumber
          clearable
          placeholder={t('No limit')}
          options={[7, 14, 30, 60, 90].map((count) => ({
            value: String(count),
            label: t('{count} day | {count} days', { count }),
          }))}
        />
        <QuietHours of={of} />
      </SettingGroup>
    </SectionPage>
  )
}
