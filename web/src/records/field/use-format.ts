import { useMemo } from 'react'
import { useSession } from '../../data/session.ts'
import type { Format } from './format.ts'

/** The formats for the signed-in user. */
export function useFormat(): Format {
  const { user, organization } = useSession()
  const { locale, timezone } = user
  const currency = organization.currency_unit
  return useMemo(() => ({ locale, timezone, currency }), [locale, timezone, currency])
}
