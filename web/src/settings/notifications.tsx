import { SectionPage } from '../records/sections/section-page.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { useSettings } from './use-settings.ts'
import { t } from '../locales/text.ts'

const kinds = [
  ['mention', t('Mentions'), t('Somebody mentions you in a comment.')],
  ['assignment', t('Assignments'), t('A task or a record becomes yours.')],
  ['due', t('Due'), t('Your task is due soon.')],
  ['overdue', t('Overdue'), t('Your task is late.')],
  ['comment', t('Comments'), t('Somebody comments on your records.')],
  ['signature', t('Signatures'), t('A document was signed or declined.')],
  ['survey_response', t('Survey responses'), t('Somebody answered your survey.')],
  ['meeting', t('Meetings'), t('A meeting with you was set, moved or cancelled.')],
  ['system', t('Security'), t('New sign-ins, apps, and other messages about your account.')],
] as const

/** Of what the person is notified, in the inbox and by mail. */
export default function Notifications() {
  const of = useSettings('/api/notifyhub/preferences/')
  return (
    <SectionPage
      title={t('Notifications')}
      about={t('What you are notified of, in your inbox and by mail.')}
    >
      <SettingGroup>
        {kinds.map(([kind, label, hint]) => {
          const now = of.values[kind]
          return (
            <SettingRow key={kind} label={label} hint={hint} error={of.errors[kind]}>
              <Checkbox
                checked={now.in_app}
                onChange={(checked) =>
                  void of.save(
                    { [kind]: { ...now, in_app: checked } },
                    t('{label} saved', { label }),
                  )
                }
              >
                {t('Inbox')}
              </Checkbox>
              <Choice
                label={t('{label} by mail', { label })}
                value={now.email}
                onChange={(email) => {
                  if (!email || email === now.email) return
                  void of.save(
                    { [kind]: { ...now, email: email as typeof now.email } },
                    t('{label} saved', { label }),
                  )
                }}
                options={[
                  { value: 'immediately', label: t('Mail at once') },
                  { value: 'daily', label: t('Mail once a day') },
                  { value: 'off', label: t('No mail') },
                ]}
              />
            </SettingRow>
          )
        })}
      </SettingGroup>
    </SectionPage>
  )
}
