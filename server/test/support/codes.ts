import { Secret, TOTP } from 'otpauth'
import type { TestService } from './service.ts'
import { sql } from './service.ts'

/** The codes of an authenticator app with this secret, at a time. */
export function codeAt(secret: string, time = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })
}

/** Sets up one-time codes for a user; returns the secret. */
export async function giveCodes(
  { runtime }: TestService,
  organization: string,
  user_id: string,
): Promise<string> {
  const secret = new Secret({ size: 20 }).base32
  const { database, secrets } = runtime
  await database.transaction(organization, (queries) =>
    queries.run(sql`
      insert into one_time_codes (organization_id, user_id, secret, confirmed_at)
      values (${organization}, ${user_id}, ${secrets.encrypt(secret)}, '2020-01-01')`),
  )
  return secret
}
