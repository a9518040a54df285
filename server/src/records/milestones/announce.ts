import type { Context } from '../../kit/ground/context.ts'
import type { Row } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import type { ShownStatus } from '../../model/statuses/status.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

type Before = Pick<Row<typeof Milestone>, 'name' | 'status'>

/** Emits `milestone_completed` if the write that was just made completed the milestone. */
export async function announceCompleted(
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
