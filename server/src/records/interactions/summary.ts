import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { subjectFrom } from '../activity/subject.ts'
import { recordOf } from './audience.ts'
import { Interaction } from './interaction.ts'

const id = { type: 'string', minLength: 1, maxLength: 25 }

/** What is going on in the comments of a record, or of all. */
export const summarizeInteractions = {
  name: 'summarize_interactions',
  summary: 'Counts, people, last activity and open threads of a record',
  can: { module: 'interactions', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        module_name: { type: 'string', minLength: 1, maxLength: 40 },
        module_id: { type: 'string', minLength: 1, maxLength: 40 },
        reference_id: id,
      },
    },
  },
  output: {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      threads: { type: 'integer' },
      open_threads: { type: 'integer' },
      pinned: { type: 'integer' },
      unread: { type: 'integer' },
      last_activity: { type: ['string', 'null'], format: 'date-time' },
      people: { type: 'array', items: { type: 'object' } },
    },
    required: ['total', 'threads', 'open_threads', 'pinned', 'unread', 'last_activity', 'people'],
  },
  async run(ctx: Context, { query }: Input) {
    const subject = subjectFrom(query)
    if (subject?.id) await checkReadable(ctx, recordOf(subject.module), subject.id)
    const which = all(
      scope(ctx, Interaction, 'read'),
      sql`not t.is_deleted`,
      subject ? sql`t.module_id = ${subject.number ?? 0}` : undefined,
      subject?.id ? sql`t.reference_id = ${subject.id}` : undefined,
    )
    const [counts, persons] = await Promise.all([
      ctx.one(sql`
        select count(*)::int as total,
          count(*) filter (where t.parent_interaction_id is null)::int as threads,
          count(*) filter (where t.parent_interaction_id is null and not t.is_resolved)::int
            as open_threads,
          count(*) filter (where t.is_pinned)::int as pinned,
          count(*) filter (where t.created_by is distinct from ${ctx.actor.user_id}
            and not exists (select from interaction_reads r
              where r.organization_id = t.organization_id and r.interaction_id = t.id
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
    return { ...counts, people: persons }
  },
} satisfies Operation
