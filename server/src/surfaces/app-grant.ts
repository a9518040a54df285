import type { Actor, Context } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import { loadActor } from '../records/users/actor.ts'
import type { Runtime } from '../runtime.ts'
import type { Claims } from './tokens.ts'

type Grant = { organization: Context['organization']; actor: Actor }

/**
 * The user of an access token's active grant, acting through its app; undefined if either is gone. Both
 * surfaces that apps call use it, and cache it under the grant and the token's scopes.
 */
export async function loadGrant(
  { database }: Pick<Runtime, 'database'>,
  { org, gid, client_id, scope = '' }: Claims,
): Promise<Grant | undefined> {
  if (!gid || !client_id) return undefined
  const queries = database.reads(org)
  // the user of the grant, not of the token: a connection that was handed over acts for another user
  const grant = await queries.one<{ id: string; name: string; scopes: string[]; user_id: string }>(
    sql`select a.id, a.name, a.scopes, g.user_id from grants g
      join apps a on a.organization_id = $organization and a.id = g.app_id
      where g.organization_id = ${org} and g.id = ${gid} and a.client_id = ${client_id}
        and g.revoked_at is null`,
  )
  if (!grant) return undefined
  const loaded = await loadActor(queries, org, grant.user_id)
  if (!loaded?.is_active) return undefined
  // scopes that the operator took from the app are also lost by its tokens
  const scopes = scope.split(' ').filter((each) => grant.scopes.includes(each))
  const { organization, actor } = loaded
  const { id, name } = grant
  return {
    organization,
    actor: { ...actor, app: { id, name, client_id, scopes, grant_id: gid } },
  }
}
