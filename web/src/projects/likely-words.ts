import type { GoLiveForecast } from '../data/forecasts.ts'
import type { Format } from '../records/field/format.ts'
import { number, shortDay } from '../records/field/format.ts'
import { t } from '../locales/text.ts'

/** The day of 85 %; undefined without one. */
export function likelyWords({ p85 }: GoLiveForecast, format: Format): string | undefined {
  return p85 ? t('85 %: by {day}', { day: shortDay(p85, format) }) : undefined
}

/** The day of a half, and what holds the go-live up. */
export function driverWords({ p50, driver }: GoLiveForecast, format: Format): string {
  const half = p50 ? t('50 %: by {day}', { day: shortDay(p50, format) }) : ''
  if (!driver) return half
  const days = t('{days} working day | {days} working days', {
    days: number(driver.days, format),
    count: driver.days,
  })
  const most = t('Held up most by {title}: {days} on average', { title: driver.title, days })
  return [half, most].filter(Boolean).join('. ')
}
