import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { subjectFrom, writableSubject } from '../activity/subject.ts'
import { Interaction } from '../../model/interactions/interaction.ts'

type Module = { module_name?: number | string; module_id?: number | string }

type Marked = Module & {
  interaction_ids?: string[]
  interaction_id?: unknown
  reference_id?: string
}

/** Marks comments as read by the caller: by their ids, or all of a record. */
export async function markRead(ctx: Context, body: Marked) {
  // a body with the properties of one interaction means that one
  const one = typeof body.interaction_id === 'string' ? [body.interaction_id] : undefined
  const ids = body.interaction_ids ?? one
  const subject = body.reference_id ? await writableSubject(ctx, body) : undefined
  if (!ids && !subject) {
    throw badField('interaction_ids', 'is required, or module_name and reference_id')
  }
  const which = ids
    ? sql`t.id = any(${ids}::varchar[])`
    : sql`t.module_id = ${subject?.number} and t.reference_id = ${subject?.id}`
  const marked = await ctx.run(sql`
    insert into interaction_reads (organization_id, user_id, interaction_id, creation_time)
    select t.organization_id, ${ctx.actor.user_id}, t.id, ${ctx.now().toISOString()}
    from interactions t where ${scope(ctx, Interaction, 'read')} and ${which}
    on conflict do nothing`)
  return { status: 'success', marked }
}

/** How many comments of each record the caller has not read. */
export async function unreadCounts(
  ctx: Context,
  body: Module & { reference_ids?: string[]; reference_id?: unknown },
) {
  const { reference_ids, reference_id, ...module } = body
  const subject = subjectFrom(module)
  if (!subject?.number) throw badField('module_name', 'is required')
  const ids = reference_ids ?? (typeof reference_id === 'string' ? [reference_id] : [])
  const found = await ctx.all<{ id: string; unread: number }>(sql`
    select t.reference_id as id, count(*)::int as unread from interactions t
    where ${scope(ctx, Interaction, 'read')} and t.module_id = ${subject.number}
      and t.reference_id = any(${ids}::varchar[]) and not t.is_deleted
      and t.created_by is distinct from ${ctx.actor.user_id}
      and not exists (select from interaction_reads r where r.organization_id = $organization
        and r.user_id = ${ctx.actor.user_id} and r.interaction_id = t.id)
    group by 1`)
  const known = new Map(found.map(({ id, unread }) => [id, unread]))
  const counts = Object.fromEntries(ids.map((id) => [id, known.get(id) ?? 0]))
  return { counts, total: found.reduce((sum, { unread }) => sum + unread, 0) }
}
