import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert } from '../../kit/write/write.ts'
import { sharedByDefault } from '../../model/organizations/settings.ts'
import { shownStatus, statusFor, statusNamed } from '../../model/statuses/status.ts'
import { announceMilestone, milestoneStatus } from '../tasks/milestone.ts'
import { clearGoLive } from './go-live.ts'
import type { createBody } from './body.ts'
import { checkDates } from './body.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

/**
 * Creates a milestone in a project, at the end or at the position in the body. One that is created as completed
 * emits `milestone_completed` too.
 */
export async function addMilestone(
  ctx: Context,
  project_id: string,
  { status: named, ...fields }: Static<typeof createBody>,
) {
  checkDates(fields)
  const status = named
    ? await statusNamed(ctx, 'milestones', named)
    : await statusFor(ctx, 'milestones', 'not_started')
  const position = fields.position ?? (await nextPosition(ctx, project_id))
  const body = { ...(await sharedByDefault(ctx, 'milestones', fields)), position, project_id }
  if (fields.kind === 'go_live') await clearGoLive(ctx, project_id)
  const created = await insert(ctx, Milestone, body, { set: milestoneStatus(ctx, status) })
  await announceMilestone(ctx, created, { name: fields.name, status: null }, shownStatus(status))
  return created
}

/** The position behind all milestones of a project. */
export async function nextPosition(ctx: Context, project: string): Promise<number> {
  // concurrent creations wait for each other, so that their positions differ
  await ctx.run(
    sql`select from projects t where ${mine(ctx)} and t.id = ${project} for no key update`,
  )
  const row = await ctx.one<{ next: number }>(sql`
    select coalesce(max(t.position) + 1, 0)::int as next from milestones t
    where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null`)
  return row?.next ?? 0
}
