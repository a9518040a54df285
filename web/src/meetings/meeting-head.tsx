import type { SectionProps } from '../records/definition.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Strip } from '../records/page/strip.tsx'
import { Banner } from '../ui/banner.tsx'
import { ButtonLink } from '../ui/button.tsx'
import styles from './meetings.module.css'
import { t } from '../locales/text.ts'

/** The time of a meeting, in the person's time zone, and the button to join it. */
export default function MeetingHead({ module, record }: SectionProps) {
  const { locale, timezone } = useFormat()
  const { start, end, link, all_day: isAllDay } = record
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const when = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    ...day,
    ...(isAllDay ? {} : time),
  })
  const range =
    typeof start === 'string' && typeof end === 'string'
      ? when.formatRange(new Date(start), new Date(end))
      : null
  return (
    <div className={styles.head}>
      {record.is_meeting_cancelled ? (
        <Banner kind="warn" boxed>
          {record.cancel_note
            ? t('Cancelled: {note}', { note: String(record.cancel_note) })
            : t('Cancelled')}
        </Banner>
      ) : null}
      <Strip {...{ module, record }} own={[{ label: t('When'), value: range }]}>
        {typeof link === 'string' && /^https?:/.test(link) ? (
          <ButtonLink variant="primary" href={link} target="_blank" rel="noreferrer noopener">
            {t('Join')}
          </ButtonLink>
        ) : null}
      </Strip>
    </div>
  )
}
