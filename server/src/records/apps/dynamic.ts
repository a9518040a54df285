import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { lockNames, mostApps, newSecrets } from './manage.ts'

/** An OAuth client that nobody issued in this organization: it described or registered itself, or the operator lists it. */
export type DynamicClient = {
  client_id: string
  name: string
  description: string | null
  redirect_uris: string[]
  scopes: string[]
  /** the app that the operator lists, if it is one */
  listed?: { organization_id: string; id: string }
}

type Stored = { id: string; name: string; scopes: string[] }

/**
 * The app of such a client in the caller's organization, created when its first user approves it: listed and
 * removed like every other app. Its name and addresses follow its description; its scopes stay as an admin
 * set them. Clients that nobody uses any more are removed if there are too many; 409 above 500.
 */
export async function dynamicApp(ctx: Context, client: DynamicClient): Promise<Stored> {
  await lockNames(ctx)
  const { client_id, name, description, scopes, listed } = client
  // in its own organization it is what was issued
  if (listed?.organization_id === ctx.organization.id) return { id: listed.id, name, scopes }
  const redirect_uris = JSON.stringify(client.redirect_uris)
  const known = await ctx.one<Stored>(sql`
    update apps t set name = ${name}, description = ${description}, redirect_uris = ${redirect_uris}
    where ${mine(ctx)} and t.client_id = ${client_id} and t.is_dynamic
    returning t.id, t.name, t.scopes`)
  if (known) return known
  await checkRoom(ctx)
  const id = newId()
  // nobody ever sees them: such a client proves itself by PKCE alone
  const { client_secret, function_key } = newSecrets()
  await ctx.run(sql`insert into apps (organization_id, id, client_id, client_secret,
      function_key_hash, name, description, redirect_uris, scopes, created_by, standard_authorize,
      is_dynamic, listed_in, listed_as)
    values (${ctx.organization.id}, ${id}, ${client_id}, ${ctx.secrets.encrypt(client_secret)},
      ${ctx.secrets.hash(function_key)}, ${name}, ${description}, ${redirect_uris},
      ${JSON.stringify(scopes)}, ${ctx.actor.user_id}, true, true,
      ${listed?.organization_id ?? null}, ${listed?.id ?? null})`)
  await announce(ctx, { module: 'apps', word: 'app' }, 'created', {
    id,
    name,
    more: { client_id, is_dynamic: true },
  })
  ctx.forget()
  return { id, name, scopes }
}

async function checkRoom(ctx: Context): Promise<void> {
  const dayAgo = new Date(+ctx.now() - 86_400_000).toISOString()
  await ctx.run(sql`delete from apps t where ${mine(ctx)} and t.is_dynamic
    and t.creation_time < ${dayAgo}
    and not exists (select from grants g where g.organization_id = $organization
      and g.app_id = t.id and g.revoked_at is null)`)
  const count = await ctx.one<{ apps: number }>(
    sql`select count(*)::int as apps from apps t where ${mine(ctx)} and t.is_dynamic`,
  )
  if ((count?.apps ?? 0) < mostApps) return
  throw conflict(`At most ${mostApps} clients connect by themselves`, 'too_many_apps')
}
