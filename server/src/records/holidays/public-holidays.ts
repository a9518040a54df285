import Holidays from 'date-holidays'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'

type Place = { country: string; state?: string; year?: number }

/**
 * The public holidays of a country (ISO 3166-1), or of a state of it, in a year: this one where none
 * is named. 400 lists the known countries or states.
 */
export function publicHolidays(ctx: Context, place: Place) {
  const known = new Holidays()
  const country = place.country.trim().toUpperCase()
  const countries = known.getCountries()
  if (!Object.hasOwn(countries, country)) {
    throw badField('country', `must be one of ${Object.keys(countries).join(', ')}`)
  }
  const states = known.getStates(country) ?? {}
  const state = place.state?.trim().toUpperCase() || undefined
  if (state && !Object.hasOwn(states, state)) {
    const words = Object.keys(states).join(', ')
    throw badField('state', words ? `must be one of ${words}` : `${country} has no states`)
  }
  const year = place.year ?? ctx.now().getUTCFullYear()
  const found = (state ? new Holidays(country, state) : new Holidays(country)).getHolidays(year)
  const days = found
    .filter(({ type }) => type === 'public')
    .map(({ name, date }) => ({ name, date: date.slice(0, 10), is_repeat_annually: false }))
  return { country, state, year, days }
}
