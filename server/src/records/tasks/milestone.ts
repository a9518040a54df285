import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord, Row } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { settingsOf } from '../../model/organizations/settings.ts'
import type { ShownStatus, Status } from '../../model/statuses/status.ts'
import { shownStatus, statusFor } from '../../model/statuses/status.ts'

/** A milestone follows its tasks for whoever completes them, customers too, who may not change it. */
const FollowingMilestone: AnyRecord = {
  ...Milestone,
  rights: { ...Milestone.rights, decide: () => sql`true` },
}

type State = { id: string; category: string | null; open: number }

/**
 * A milestone after one of its tasks was completed or opened again: it is completed with its last open task, and in
 * progress again with the first that is opened, unless the organization has switched that off.
 */
export async function followTasks(ctx: Context, milestone: string | null, isDone: boolean) {
  if (milestone === null || !(await settingsOf(ctx)).complete_milestones) return
  // two people who complete the last two tasks at once wait for each other
  const found = await ctx.one<{ id: string }>(sql`select t.id from milestones t
    where ${mine(ctx)} and t.id = ${milestone} and t.deleted_at is null for no key update`)
  if (!found) return
  const now = await ctx.one<State>(sql`
    select t.id, s.category, (select count(*)::integer from tasks k where ${mine(ctx, 'k')}
      and k.milestone_id = t.id and k.deleted_at is null and not k.is_completed) as open
    from milestones t left join statuses s on s.organization_id = $organization and s.id = t.status_id
    where ${mine(ctx)} and t.id = ${milestone}`)
  const isCompleted = now?.category === 'completed'
  if (!now || isDone === isCompleted || (isDone && now.open > 0)) return
  await moveMilestone(
    ctx,
    milestone,
    await statusFor(ctx, 'milestones', isDone ? 'completed' : 'in_progress'),
  )
}

async function moveMilestone(ctx: Context, id: string, status: Status) {
  const locked = await lock(ctx, FollowingMilestone, id, 'update')
  const after = await update(ctx, locked, {}, { set: milestoneStatus(ctx, status) })
  await announceMilestone(ctx, after, locked.row as Before, shownStatus(status))
}

/** The columns behind the status of a milestone. */
export function milestoneStatus(ctx: Context, { id, category }: Pick<Status, 'id' | 'category'>) {
  return {
    status_id: id,
    completed_at: category === 'completed' ? ctx.now().toISOString() : null,
  }
}

type Before = Pick<Row<typeof Milestone>, 'name' | 'status'>

/** Emits `milestone_completed` if the write that was just made completed the milestone. */
export async function announceMilestone(
  ctx: Context,
  { id, version, whole, project_id }: Written,
  before: Before,
  status: ShownStatus,
): Promise<void> {
  if (status.category !== 'completed' || before.status?.category === 'completed') return
  const changes = [{ field: 'status', from: before.status, to: status }]
  const { name } = before
  await announce(ctx, Milestone, 'milestone_completed', {
    id,
    version,
    whole,
    changes,
    name,
    project_id,
  })
}
