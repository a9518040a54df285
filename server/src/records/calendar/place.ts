import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { idOf } from '../tasks/place.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'

/** The project and the milestone that a body names. */
type Links = { project?: unknown; milestone_id?: unknown }

/**
 * The columns that follow from new links of a meeting, as for tasks: a milestone alone determines the project,
 * and a new project clears the milestone of the previous one. 400 for a milestone of another project.
 */
export async function placeColumns(
  ctx: Context,
  links: Links,
  row?: MeetingRow,
): Promise<{ project_id?: string; milestone_id?: null }> {
  const named = {
    project: idOf(links.project, 'project_id'),
    milestone: idOf(links.milestone_id, 'milestone_id'),
  }
  const project = named.project === row?.project?.project_id ? undefined : named.project
  const milestone = named.milestone === row?.milestone_id ? undefined : named.milestone
  if (milestone) {
    const its = await projectOf(ctx, milestone)
    if (project && its && its !== project) {
      throw badField('milestone_id', 'is a milestone of another project')
    }
    return project || !its ? {} : { project_id: its }
  }
  const isLeft =
    project && row?.milestone_id && (await projectOf(ctx, row.milestone_id)) !== project
  return isLeft ? { milestone_id: null } : {}
}

async function projectOf(ctx: Context, milestone: string): Promise<string | undefined> {
  const found = await ctx.one<{ project_id: string }>(sql`
    select t.project_id from milestones t
    where ${mine(ctx)} and t.id = ${milestone} and t.deleted_at is null`)
  return found?.project_id
}
