import type { Option } from '../ui/option.tsx'
import { language, t } from '../locales/text.ts'

/** The languages in which mails and pages are written. */
export const languages: Option[] = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'es', label: 'Español' },
  { value: 'pt', label: 'Português' },
  { value: 'nl', label: 'Nederlands' },
]

/** The days of the week by their ISO number. */
export const weekdays = [
  t('Monday'),
  t('Tuesday'),
  t('Wednesday'),
  t('Thursday'),
  t('Friday'),
  t('Saturday'),
  t('Sunday'),
]

/** The same, short: 2024 began on a Monday. */
export const shortWeekdays = weekdays.map((_, i) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + i),
  ),
)

/** Every time zone that the browser knows, with its offset now. */
export function zones(): Option[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map(
    (zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }),
  )
}

/** Every currency that the browser knows, by name. */
export function currencies(locale: string): Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} · ${names.of(code) ?? code}`,
  }))
}

/** A few regions with different formats of numbers and dates. */
export const locales: Option[] = [
  'en-US',
  'en-GB',
  'de-DE',
  'de-AT',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pt-PT',
  'pt-BR',
  'nl-NL',
].map((value) => ({
  value,
  label: new Intl.DisplayNames(language, { type: 'language' }).of(value) ?? value,
  description: `${new Intl.NumberFormat(value).format(1234.5)} · ${new Intl.DateTimeFormat(value, {
    dateStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date('2026-11-30T12:00:00Z'))}`,
}))
