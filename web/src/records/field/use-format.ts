import { useSession } from '../../data/session.ts'
import type { Format } from './format.ts'

/** How values are written for whoever is signed in. */
export function useFormat(): Format {
  const { user, organization } = useSession()
  return {
    locale: user.locale,
    timezone: user.timezone,
    currency: organization.currency_unit,
  }
}
