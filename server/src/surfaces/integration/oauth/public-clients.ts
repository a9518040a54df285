import { allOrganizations } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import { anywhere, sql } from '../../../kit/ground/sql.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Tokens } from '../../tokens.ts'
import type { Client } from './clients.ts'
import { clientOfApp } from './clients.ts'
import { invalidGrant } from './errors.ts'
import { clientOfToken } from './exchange.ts'

/**
 * The app of a client that nobody issued, in the organization of the code in its request: the client has
 * one in each organization whose users approved it. So does a listed app, which must have proven itself. 400 for a code
 * that is not its own.
 */
export async function clientOfCode(
  runtime: Runtime,
  { client_id, code = '' }: { client_id?: string; code?: string },
  isProven = false,
): Promise<Client> {
  const row = await runtime.database.reads(allOrganizations).one<{
    organization_id: string
    app_id: string
  }>(sql`select organization_id, app_id from authorization_codes t
    where ${anywhere('t')} and code_hash = ${runtime.secrets.hash(code)}`)
  const client = row && (await clientOfApp(runtime, row.organization_id, row.app_id))
  if (!client || client.client_id !== client_id || !(isProven || isPublicClient(client))) {
    throw invalidGrant(400, 'The code is not valid')
  }
  return client
}

/** The same for an access or refresh token; undefined for one that is not its own. */
export async function appOfToken(
  runtime: Runtime,
  tokens: Tokens,
  { client_id, token }: { client_id?: string; token: string },
  isProven = false,
): Promise<Client | undefined> {
  const client =
    (await clientOfToken(runtime, token)) ?? (await ofAccessToken(runtime, tokens, token))
  const isOwn = client?.client_id === client_id
  return client && isOwn && (isProven || isPublicClient(client)) ? client : undefined
}

/** Whether it has no credentials; what an organization has of a listed app proves itself with that app's. */
function isPublicClient({ is_dynamic, listed_in }: Client): boolean {
  return is_dynamic && listed_in === null
}

/** The claims of a token of either surface. */
async function verified(tokens: Tokens, token: string) {
  try {
    return await tokens.verify('mcp', token)
  } catch {
    return tokens.verify('integration', token)
  }
}

async function ofAccessToken(runtime: Runtime, tokens: Tokens, token: string) {
  try {
    const { org, gid } = await verified(tokens, token)
    const row = await runtime.database
      .reads(org)
      .one<{ app_id: string }>(
        sql`select app_id from grants where organization_id = ${org} and id = ${gid}`,
      )
    return row && (await clientOfApp(runtime, org, row.app_id))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
