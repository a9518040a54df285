import { readableRows } from '../../kit/record/readable.ts'
import type { Context } from '../../kit/ground/context.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { currentFields } from '../field-config/field-config.ts'
import { optionSets } from '../../kit/record/option-sets.ts'
import { statusesOf } from '../../model/statuses/status.ts'
import { Template } from '../../model/templates/template.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { Deal, Project } from '../../model/projects/project.ts'

/** The options of forms for deals (docs/contract/projects-deals-milestones.md). */
export async function dealOptions(ctx: Context) {
  const [pipelines, sets, owners, templates, fields] = await Promise.all([
    pipelinesOf(ctx),
    optionSets(ctx, 'projects'),
    people(ctx),
    ctx.all<{
      template_id: string
      template_name: string
    }>(sql`select t.id as template_id, t.template_name from templates t
      where ${scope(ctx, Template, 'read')} and t.template_type = 'project'
      order by t.template_name_key, t.id limit 500`),
    currentFields(ctx, Deal),
  ])
  const { lost_reasons = [], billing_models = [], billing_frequencies = [], currencies = [] } = sets
  return {
    pipelines,
    deal_stages: pipelines.flatMap(({ stages }) => stages),
    lost_reasons,
    billing_models,
    billing_frequencies,
    currencies,
    owners,
    templates,
    fields,
  }
}

/** The options of forms within a project (specification 2.2, ProjectOptionsResponse). */
export async function projectOptions(
  ctx: Context,
  milestones: { milestone_id: string; name: string }[],
) {
  const [task_statuses, project_statuses, { stages }, { priorities = [] }, owners, tags, fields] =
    await Promise.all([
      statusesOf(ctx, 'tasks'),
      statusesOf(ctx, 'projects'),
      pipelinesOf(ctx).then((all) => ({ stages: all.flatMap((pipeline) => pipeline.stages) })),
      optionSets(ctx, 'tasks'),
      people(ctx),
      ctx.all<{
        tag_id: string
        tag_name: string
      }>(sql`select t.id as tag_id, t.tag_name from ${readableRows(ctx, 'tags')} t
        where ${mine(ctx)} and t.deleted_at is null order by lower(t.tag_name), t.id limit 500`),
      currentFields(ctx, Project),
    ])
  return {
    milestones: milestones.map(({ milestone_id, name }) => ({ milestone_id, name })),
    task_statuses,
    project_statuses,
    stages,
    priorities,
    owners,
    tags,
    fields,
  }
}

type Person = {
  user_id: string
  full_name: string
  email: string
  role: string
  profile_image: string | null
}

function people(ctx: Context) {
  return ctx.all<Person>(sql`
    select t.id as user_id, t.full_name, t.email, r.role_name as role, t.profile_image
    from users t join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and t.is_active and t.deleted_at is null
    order by lower(t.full_name), t.id limit 500`)
}
