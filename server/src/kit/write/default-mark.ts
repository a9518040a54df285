import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { announce } from './announce.ts'
import { oneAtATime } from './cycle.ts'

/**
 * Clears `is_default` on the other records that meet a condition over `t`, each with its own log
 * entry: there is only one default, and a new one replaces the previous one.
 */
export async function clearDefault(
  ctx: Context,
  record: AnyRecord,
  condition: Query,
  except = '',
): Promise<void> {
  // of two concurrent writes, the second replaces the first
  await oneAtATime(ctx, record.table)
  const now = ctx.now().toISOString()
  const title = record.fields[record.title]?.column ?? record.title
  const cleared = await ctx.all<{ id: string; name: string; version: number }>(sql`
    update ${sql.table(record.table)} t
    set is_default = false, version = version + 1, last_update_time = ${now}
    where ${all(mine(ctx), condition, sql`t.is_default and t.deleted_at is null and t.id <> ${except}`)}
    returning t.id, ${sql.ref(`t.${title}`)} as name, t.version`)
  const changes = [{ field: 'is_default', from: true, to: false }]
  for (const each of cleared) await announce(ctx, record, 'updated', { ...each, changes })
}
