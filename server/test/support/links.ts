import { quietMs } from '../../src/records/users/account-link.ts'
import type { TestService } from './service.ts'
import { rows, sql } from './service.ts'

/** Makes the links that somebody was mailed older, so that another is mailed; by itself time passes for jobs, too. */
export async function ageLinks(service: TestService, email: string, ms = quietMs): Promise<void> {
  const age = sql`${ms} * interval '1 ms'`
  await rows(
    service,
    sql`update users set reset_expires_at = reset_expires_at - ${age},
      sign_in_expires_at = sign_in_expires_at - ${age} where email_key = ${email.toLowerCase()}`,
  )
}
