import { Temporal } from 'temporal-polyfill'
import type { Organization } from '../kit/ground/context.ts'

/** From when on Monday weekly mails are sent, in the organization's zone, and until when. */
const hours = { from: 8, before: 20 }

/** Whether it is time for the weekly mails of an organization, and its day, which is a Monday then. */
export function mondaysAt(now: Date) {
  const instant = Temporal.Instant.fromEpochMilliseconds(+now)
  const local = ({ timezone }: Organization) => instant.toZonedDateTimeISO(timezone)
  return {
    isDue(organization: Organization): boolean {
      const { dayOfWeek, hour } = local(organization)
      return dayOfWeek === 1 && hour >= hours.from && hour < hours.before
    },
    monday: (organization: Organization): string => local(organization).toPlainDate().toString(),
  }
}
