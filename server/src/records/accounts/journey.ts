import { Type } from 'typebox'
import type { Static } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { rights } from '../../kit/record/scope.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { Account } from '../../model/accounts/account.ts'
import { checkReadable } from '../../kit/read/one.ts'

const stage = Type.Object(
  {
    stage: Type.String({ description: 'such as account_created, deal_won or survey_answered' }),
    title: Type.String(),
    module_name: Type.String(),
    reference_id: Type.String(),
    time: Type.String({ format: 'date-time' }),
  },
  { title: 'AccountJourneyStage' },
)

/** The history of an account, step by step: its creation, deals, projects, surveys and meetings. */
export const accountJourney = operation({
  name: 'read_account_journey',
  summary: 'Retrieve the journey of an account',
  description:
    'The stages of the account, its deals and projects, surveys with their first answers and meetings ' +
    'over time, oldest first.',
  can: { module: 'accounts', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({ account_id: idInQuery() }),
  },
  output: Type.Object(
    { account_id: Type.String(), stages: Type.Array(stage) },
    { title: 'AccountJourney' },
  ),
  async run(ctx, { query: { account_id: id } }) {
    await checkReadable(ctx, Account, id)
    const allowed = rights(ctx, ProjectOrDeal, 'read') ?? sql`true`
    const stages = await ctx.all<Static<typeof stage>>(sql`
      with its as (
        select t.* from projects t
        where ${mine(ctx)} and t.account_id = ${id} and t.deleted_at is null and ${allowed}
      )
      select stage, title, module_name, reference_id, time from (
        select 'account_created' as stage, t.account_name as title, 'accounts' as module_name,
          t.id as reference_id, t.creation_time as time
        from accounts t where ${mine(ctx)} and t.id = ${id}
        union all
        select project_type || '_created', project_name, project_type || 's', id, creation_time
        from its
        union all
        select 'deal_' || s.category, its.project_name, 'deals', its.id, its.closed_at
        from its join stages s on s.organization_id = $organization and s.id = its.stage_id
        where its.closed_at is not null and s.category <> 'open' and its.project_type = 'deal'
        union all
        select 'project_completed', project_name, 'projects', id, completed_at
        from its where project_type = 'project' and completed_at is not null
        union all
        select 'milestone_completed', m.name, 'milestones', m.id, m.completed_at
        from its join milestones m on m.organization_id = $organization
          and m.project_id = its.id
        where m.completed_at is not null and m.deleted_at is null and not m.is_private
        union all
        select 'survey_created', s.name, 'surveys', s.id, s.creation_time
        from ${readableRows(ctx, 'surveys')} s
        where ${mine(ctx, 's')} and s.account_id = ${id} and s.deleted_at is null
        union all
        select 'survey_answered', s.name, 'surveys', s.id, a.at from (
          select a.reference_id, min(a.at) as at from record_activity a
          where ${mine(ctx, 'a')} and a.subject_module = ${Account.number} and a.subject_id = ${id}
            and a.kind = 'answer' group by 1) a
        join ${readableRows(ctx, 'surveys')} s on ${mine(ctx, 's')} and s.id = a.reference_id
          and s.deleted_at is null
        union all
        select 'meeting_held', m.title, 'meetings', m.id, m.starts_at from record_activity a
        join ${readableRows(ctx, 'meetings')} m on m.organization_id = $organization
          and m.id = a.source_id and m.deleted_at is null and not m.is_meeting_cancelled
        where ${mine(ctx, 'a')} and a.subject_module = ${Account.number} and a.subject_id = ${id}
          and a.kind = 'meeting' and m.starts_at <= ${ctx.now().toISOString()}
      ) steps order by time, reference_id limit 1000`)
    return { account_id: id, stages }
  },
})
