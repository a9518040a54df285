import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { PlaceColumns } from '../../kit/record/rank.ts'
import { lock, update } from '../../kit/write/write.ts'
import { shownStatus, statusNamed } from '../../model/statuses/status.ts'
import { announceMilestone, milestoneStatus } from '../tasks/milestone.ts'
import { clearGoLive, projectOf } from './go-live.ts'
import type { updateBody } from './body.ts'
import { checkDates } from './body.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

type Changes = Static<typeof updateBody> & { project_id?: unknown }

/** Updates a milestone; entering a completed status sets `completed_at` and emits `milestone_completed`. */
export async function updateMilestone(
  ctx: Context,
  id: string,
  body: Changes,
  ifMatch?: number[],
  place?: PlaceColumns,
) {
  // a client that sends back what it read also sends the project, which never changes
  const { status: named, project_id: _project, ...fields } = body
  if (fields.kind === 'go_live') await clearGoLive(ctx, await projectOf(ctx, id), id)
  const locked = await lock(ctx, Milestone, id, 'update', ifMatch)
  const { row } = locked
  checkDates({ ...row, ...fields })
  const status = named ? await statusNamed(ctx, 'milestones', named) : undefined
  const isOther = status && status.id !== row.status?.id
  const after = await update(ctx, locked, fields, {
    set: { ...(isOther ? milestoneStatus(ctx, status) : {}), ...place },
  })
  if (isOther) await announceMilestone(ctx, after, row, shownStatus(status))
  return after
}
