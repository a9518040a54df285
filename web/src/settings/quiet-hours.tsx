import type { AnswerOf } from '../api/client.ts'
import { DateField } from '../ui/date-field.tsx'
import { SettingRow } from '../ui/setting.tsx'
import { useStateFor } from '../ui/use-state-for.ts'
import type { Settings } from './use-settings.ts'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

type Mail = AnswerOf<'/api/organization/settings/mail/', 'get'>

/** The hours in which mails about surveys wait; saved once both times are set, or none. */
export function QuietHours({ of }: { of: Settings<Mail> }) {
  const { survey_quiet_hours: stored } = of.values
  const [from, setFrom] = useStateFor(stored?.from ?? null)
  const [to, setTo] = useStateFor(stored?.to ?? null)
  const leave = () => {
    const next = from && to ? { from, to } : null
    if (!next && (from || to)) return
    if (next?.from === stored?.from && next?.to === stored?.to) return
    void of.save({ survey_quiet_hours: next }, t('Quiet hours for surveys saved'))
  }
  const shared = { kind: 'time', onBlur: leave, disabled: of.isReadOnly } as const
  return (
    <SettingRow
      label={t('Quiet hours for surveys')}
      hint={t(
        'Mails with surveys and their reminders wait until these hours end, by the clock of their recipient. Empty: they leave at any time.',
      )}
      error={of.errors.survey_quiet_hours}
    >
      <span className={styles.fields}>
        <DateField {...shared} label={t('Quiet from')} value={from} onChange={setFrom} />
        <DateField {...shared} label={t('Quiet until')} value={to} onChange={setTo} />
      </span>
    </SettingRow>
  )
}
