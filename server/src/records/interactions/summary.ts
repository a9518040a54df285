import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { subjectFrom } from '../activity/subject.ts'
import { recordOf } from './audience.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { checkReadable } from '../../kit/read/one.ts'

const participant = Type.Object(
  {
    user_id: Type.String(),
    full_name: Type.String(),
    profile_image: orNull(Type.String()),
    count: Type.Integer({ description: 'how many comments they wrote' }),
  },
  { title: 'InteractionParticipant' },
)

/** What `summarize` returns. */
export const summary = Type.Object({
  total: Type.Integer(),
  threads: Type.Integer(),
  open_threads: Type.Integer(),
  pinned: Type.Integer(),
  unread: Type.Integer(),
  last_activity: orNull(schema<string>({ type: 'string', format: 'date-time' })),
  people: Type.Array(participant, { description: 'the 50 who wrote most' }),
})

type Subject = { module_name?: string; module_id?: string; reference_id?: string }

/** Counts, authors and the last activity of the comments on a record, or of all. */
export async function summarize(ctx: Context, query: Subject) {
  const subject = subjectFrom(query)
  if (subject?.id) await checkReadable(ctx, recordOf(subject.module), subject.id)
  const which = all(
    scope(ctx, Interaction, 'read'),
    sql`not t.is_deleted`,
    subject ? sql`t.module_id = ${subject.number ?? 0}` : undefined,
    subject?.id ? sql`t.reference_id = ${subject.id}` : undefined,
  )
  const [counts, people] = await Promise.all([
    ctx.one(sql`
      select count(*)::int as total,
        count(*) filter (where t.parent_interaction_id is null)::int as threads,
        count(*) filter (where t.parent_interaction_id is null and not t.is_resolved)::int
          as open_threads,
        count(*) filter (where t.is_pinned)::int as pinned,
        count(*) filter (where t.created_by is distinct from ${ctx.actor.user_id}
          and not exists (select from interaction_reads r
            where r.organization_id = $organization and r.interaction_id = t.id
              and r.user_id = ${ctx.actor.user_id}))::int as unread,
        max(t.last_update_time) as last_activity
      from interactions t where ${which}`),
    ctx.all(sql`
      select u.id as user_id, u.full_name, u.profile_image, n.count
      from (select t.created_by, count(*)::int as count from interactions t where ${which}
        group by 1 order by 2 desc limit 50) n
      join users u on u.organization_id = ${ctx.organization.id} and u.id = n.created_by
      order by n.count desc, u.id`),
  ])
  return { ...counts, people }
}
