import { computation } from '../../kit/ground/computation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'

type Place = { country: string; state?: string; year?: number }
type Day = { name: string; date: string; is_repeat_annually: boolean }

/**
 * The public holidays of a country (ISO 3166-1), or of a state of it, in a year: the current one if none
 * is named. 400 lists the known countries or states.
 */
export function publicHolidays(ctx: Context, { country, state, year }: Place) {
  return ctx.services.computations.run(ctx.organization.id, finding, {
    country: country.trim().toUpperCase(),
    state: state?.trim().toUpperCase() || undefined,
    year: year ?? ctx.now().getUTCFullYear(),
  })
}

const finding = computation(import.meta.url, findHolidays)

/** `publicHolidays` in a thread: the library takes 0.2 s and 40 MB to load, and is rarely used. */
export async function findHolidays(place: Place & { year: number }) {
  const { default: Holidays } = await import('date-holidays')
  const { country, state, year } = place
  const known = new Holidays()
  const countries = known.getCountries()
  if (!Object.hasOwn(countries, country)) {
    throw badField('country', `must be one of ${Object.keys(countries).join(', ')}`)
  }
  const states = known.getStates(country) ?? {}
  if (state && !Object.hasOwn(states, state)) {
    const words = Object.keys(states).join(', ')
    throw badField('state', words ? `must be one of ${words}` : `${country} has no states`)
  }
  const found = (state ? new Holidays(country, state) : new Holidays(country)).getHolidays(year)
  const days = found
    .filter(({ type }) => type === 'public')
    .map(({ name, date }): Day => ({
      name,
      date: date.slice(0, 10),
      is_repeat_annually: false,
    }))
  return { country, state, year, days }
}
