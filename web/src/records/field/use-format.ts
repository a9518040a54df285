import { useSession } from '../../data/session.ts'
import type { Format } from './format.ts'

/** The formats for the signed-in user. */
export function useFormat(): Format {
  const { user, organization } = useSession()
  return {
    locale: user.locale,
    timezone: user.timezone,
    currency: organization.currency_unit,
  }
}
