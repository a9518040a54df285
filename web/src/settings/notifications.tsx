import { SectionPage } from '../records/sections/section-page.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { SettingGroup, SettingRow } from '../ui/setting.tsx'
import { useSettings } from './use-settings.ts'

const kinds = [
  ['mention', 'Mentions', 'Somebody mentions you in a comment.'],
  ['assignment', 'Assignments', 'A task or a record becomes yours.'],
  ['due', 'Due', 'Your task is due soon.'],
  ['overdue', 'Overdue', 'Your task is late.'],
  ['comment', 'Comments', 'Somebody comments on your records.'],
  ['signature', 'Signatures', 'A document was signed or declined.'],
  ['survey_response', 'Survey responses', 'Somebody answered your survey.'],
  ['meeting', 'Meetings', 'A meeting with you was set, moved or cancelled.'],
  ['system', 'Security', 'New sign-ins, apps, and other messages about your account.'],
] as const

/** Of what the person is notified, in the inbox and by mail. */
export default function Notifications() {
  const of = useSettings('/api/notifyhub/preferences/')
  return (
    <SectionPage title="Notifications" about="What you are notified of, in your inbox and by mail.">
      <SettingGroup>
        {kinds.map(([kind, label, hint]) => {
          const now = of.values[kind]
          return (
            <SettingRow key={kind} label={label} hint={hint} error={of.errors[kind]}>
              <Checkbox
                checked={now.in_app}
                onChange={(checked) =>
                  void of.save({ [kind]: { ...now, in_app: checked } }, `${label} saved`)
                }
              >
                Inbox
              </Checkbox>
              <Choice
                label={`${label} by mail`}
                value={now.email}
                onChange={(email) => {
                  if (!email || email === now.email) return
                  void of.save(
                    { [kind]: { ...now, email: email as typeof now.email } },
                    `${label} saved`,
                  )
                }}
                options={[
                  { value: 'immediately', label: 'Mail at once' },
                  { value: 'daily', label: 'Mail once a day' },
                  { value: 'off', label: 'No mail' },
                ]}
              />
            </SettingRow>
          )
        })}
      </SettingGroup>
    </SectionPage>
  )
}
