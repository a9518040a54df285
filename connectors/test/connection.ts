import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Connection } from '../../server/test/support/integration.ts'
import { connectApp, makeConnection } from '../../server/test/support/integration.ts'
import type { TestOrganization, TestService } from '../../server/test/support/service.ts'
import { startService } from '../../server/test/support/service.ts'

/** A service whose clock can stand behind, for tokens that have expired when they are used. */
export async function startShifted() {
  let shift = 0
  const service = await startService({}, () => new Date(Date.now() + shift), true)
  return {
    service,
    /** A connection whose access token has expired. */
    async expired(org: TestOrganization): Promise<Connection> {
      shift = -2 * 3_600_000
      const connection = await makeConnection(service, org, { standard: true })
      shift = 0
      return connection
    },
  }
}

/** A verifier of PKCE and its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Opens the address of consent as an admin who approves; gives the code that the platform receives. */
export async function approve(service: TestService, org: TestOrganization, url: string) {
  const { pathname, search, searchParams } = new URL(url)
  const { token } = org.users.admin
  const reply = await service.call('GET', pathname + search, { token })
  const landing = new URL(reply.headers.get('location') ?? 'http://none')
  const code = landing.searchParams.get('code')
  assert.ok(code, `no code: ${reply.status} ${reply.text}`)
  assert.equal(landing.searchParams.get('state'), searchParams.get('state'))
  return code
}

/** Gives the companies of an organization a field of its own. */
export async function addField(service: TestService, org: TestOrganization, field: object) {
  const app = await connectApp(service, org)
  const body = { fields: [field] }
  const reply = await app.call('PUT', '/automation/company/field-config', { body })
  assert.equal(reply.status, 200, reply.text)
}
