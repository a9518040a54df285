import type { Context } from '../../kit/ground/context.ts'
import { addDays, daysBetween, isDay } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { copyOf } from '../../kit/record/copy.ts'
import { copiedCustom } from '../../kit/record/custom.ts'
import type { Row } from '../../kit/record/record.ts'
import { mayCreate } from '../../kit/record/scope.ts'
import type { Written } from '../../kit/write/write.ts'
import { copyPlan } from './copy-plan.ts'
import { insertProject } from './create.ts'
import { usableLinks, usableTeam } from './links.ts'
import { typeOfId } from './move.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import type { Project } from '../../model/projects/project.ts'
import { recordOfType } from '../../model/projects/project.ts'
import { readOne } from '../../kit/read/one.ts'

type Changes = { project_name?: string; start_date?: string | null }

/**
 * A copy of a project or deal as not started: with its milestones and tasks, as
 * far as the caller sees them, and every date moved by as much as the start.
 */
export async function duplicateProject(
  ctx: Context,
  id: string,
  changes: Changes,
): Promise<Written> {
  const record = recordOfType(await typeOfId(ctx, id))
  const { body } = await readOne(ctx, record, id)
  mayCreate(ctx, record.module)
  const source = JSON.parse((body as Json).text) as Row<typeof Project>
  const fields = {
    ...copyOf(record, source),
    ...moved(source, changes),
    ...(await usableLinks(ctx, source)),
    custom_fields: await copiedCustom(ctx, record, source.custom_fields),
  }
  return insertProject(ctx, fields, {
    set: { template_id: source.template_id, template_version: source.template_version },
    stage: await firstStage(ctx, source.pipeline_id),
    team: await usableTeam(ctx, id),
    plan: (copy) => copyPlan(ctx, id, copy, source.start_date, changes.start_date),
  })
}

/** The name of the copy, and its dates moved; 400 if one would be out of range. */
function moved(source: Row<typeof Project>, { project_name, start_date }: Changes) {
  const shift = start_date && source.start_date ? daysBetween(source.start_date, start_date) : 0
  const day = (day: string | null) => {
    const to = day && addDays(day, shift)
    if (to && !isDay(to)) throw badField('start_date', `moves ${day} beyond the calendar`)
    return to
  }
  return {
    project_name: project_name ?? `${source.project_name.slice(0, 248)} (copy)`,
    start_date: start_date ?? source.start_date,
    due_date: day(source.due_date),
    forecasted_date: day(source.forecasted_date),
  }
}

/** The first stage of a deal's pipeline, if the pipeline still exists. */
async function firstStage(ctx: Context, pipeline: string | null) {
  const pipelines = pipeline ? await pipelinesOf(ctx) : []
  return pipelines.find(({ pipeline_id }) => pipeline_id === pipeline)?.stages[0]
}
