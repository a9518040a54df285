import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { numberedRecords } from '../../kit/record/modules.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { registered } from '../../kit/record/registry.ts'
import { rights } from '../../kit/record/scope.ts'

/**
 * The caller's notifications as a condition over `t`: those about records that they may currently read, by the
 * record's own rights, and for a comment also by the comment's, and those about no record. Those that
 * somebody wrote (`POST`) are shown as they are.
 */
export function ownNotifications(ctx: Context): Query {
  const own = sql`t.user_id = ${ctx.actor.user_id}`
  const limited = numberedRecords().flatMap((record) => {
    const query = limitOf(ctx, record, sql`n.id`)
    return query ? sql`when n.module = ${String(record.number)} then ${query}` : []
  })
  const comments = registered().find(({ table }) => table === 'interactions')
  const comment = comments && limitOf(ctx, comments, sql`n.comment`)
  if (!limited.length && !comment) return own
  const ofRecord = limited.length
    ? sql`(n.id is null or case ${sql.join(limited, sql` `)} else true end)`
    : undefined
  const ofComment = comment && sql`(n.comment is null or ${comment})`
  return sql`${own} and (t.event_id is null or exists (select from (values (
      t.notification_obj ->> 'module_id', t.notification_obj ->> 'reference_id',
      t.notification_obj ->> 'interaction_id')) n (module, id, comment)
    where ${all(ofRecord, ofComment)}))`
}

/** Whether the caller may read a record, as a condition; undefined if they may read all. */
function limitOf(ctx: Context, record: AnyRecord, id: Query): Query | undefined {
  const allowed = rights(ctx, record, 'read')
  if (!allowed) return undefined
  // a confined caller no longer sees notifications about a record that was deleted
  const alive =
    ctx.actor.is_confined && record.life.softDelete ? sql`t.deleted_at is null` : undefined
  return sql`exists (select from ${sql.table(record.table)} t
    where ${all(mine(ctx), sql`t.id = ${id}`, alive, allowed)})`
}
