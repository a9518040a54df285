import { quietMs } from '../../src/records/users/account-link.ts'
import { asService } from './contexts.ts'
import type { TestOrganization, TestService } from './service.ts'
import { sql } from './service.ts'

/** Makes the links that somebody was mailed older, so that another is mailed: a later clock would defer the jobs, too. */
export async function ageLinks(
  service: TestService,
  org: TestOrganization,
  email: string,
  ms = quietMs,
): Promise<void> {
  const age = sql`${ms}::float8 * interval '1 ms'`
  await asService(service, org, (ctx) =>
    ctx.run(sql`update users set reset_expires_at = reset_expires_at - ${age},
      sign_in_expires_at = sign_in_expires_at - ${age}
      where organization_id = ${org.id} and email_key = ${email.toLowerCase()}`),
  )
}
