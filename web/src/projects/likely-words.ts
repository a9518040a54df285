import type { GoLiveForecast } from '../data/forecasts.ts'
import type { Format } from '../records/field/format.ts'
import { number, shortDay } from '../records/field/format.ts'

/** The day of 85 %; undefined without one. */
export function likelyWords({ p85 }: GoLiveForecast, format: Format): string | undefined {
  return p85 ? `85 %: by ${shortDay(p85, format)}` : undefined
}

/** The day of a half, and what holds the go-live up. */
export function driverWords({ p50, driver }: GoLiveForecast, format: Format): string {
  const half = p50 ? `50 %: by ${shortDay(p50, format)}` : ''
  if (!driver) return half
  const days = `${number(driver.days, format)} working ${driver.days === 1 ? 'day' : 'days'}`
  return `${half}. Held up most by ${driver.title}: ${days} on average`
}
