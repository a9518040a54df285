import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'

type Connected = { app_id: string; name: string }

/** The names of the apps that act as a user, each once. */
export async function connectedApps(ctx: Context, user_id: string): Promise<string[]> {
  const found = await ctx.all<Connected>(sql`select distinct t.app_id, a.name from grants t
    join apps a on a.organization_id = $organization and a.id = t.app_id
    where ${mine(ctx)} and t.user_id = ${user_id} and t.revoked_at is null order by a.name`)
  return found.map(({ name }) => name)
}

/** Ends every grant of a user, with a log entry for each app; returns the names of the apps. */
export async function endConnections(ctx: Context, user_id: string): Promise<string[]> {
  const ended = await ctx.all<Connected>(sql`
    update grants t set revoked_at = ${ctx.now().toISOString()} from apps a
    where ${mine(ctx)} and t.user_id = ${user_id} and t.revoked_at is null
      and a.organization_id = $organization and a.id = t.app_id
    returning t.app_id, a.name`)
  const apps = new Map(ended.map(({ app_id, name }) => [app_id, name]))
  for (const [id, name] of apps) {
    const more = { why: 'the password was reset' }
    const entry = { id, title: `${name} disconnected`, name, more }
    await announce(ctx, { module: 'apps', word: 'app' }, 'disconnected', entry)
  }
  if (apps.size) ctx.forget()
  return [...apps.values()].sort()
}
