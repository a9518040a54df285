import { readableRows } from '../../kit/record/readable.ts'
import type { TProperties } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { readOne } from '../../kit/read/one.ts'

/** A survey as a read returns it; 404 if the caller may not see it. */
export async function readSurvey(ctx: Context, id: string): Promise<Row<typeof Survey>> {
  const { body } = await readOne(ctx, Survey, id)
  return JSON.parse((body as Json).text) as Row<typeof Survey>
}

/** The schema of a survey with more properties; `title` names the component. */
export function surveyWith<P extends TProperties>(title: string, properties: P) {
  return { ...extend(readSchema(Survey), properties), title }
}

type Usage = { tasks: number; projects: number; templates: number }

/** The number of tasks, projects and templates that use the survey as their form. */
export async function usageOf(ctx: Context, id: string): Promise<Usage> {
  const counts = await ctx.one<Usage>(sql`
    select count(*)::int as tasks, count(distinct p.id)::int as projects,
      (select count(*)::int from ${readableRows(ctx, 'templates')} x where x.organization_id = ${ctx.organization.id}
        and x.deleted_at is null and x.template_config::text like ${`%"${id}"%`}) as templates
    from ${readableRows(ctx, 'tasks')} t
    left join ${readableRows(ctx, 'projects')} p on ${mine(ctx, 'p')} and p.id = t.project_id
    where ${mine(ctx)} and t.form_id = ${id} and t.deleted_at is null`)
  return counts ?? { tasks: 0, projects: 0, templates: 0 }
}
