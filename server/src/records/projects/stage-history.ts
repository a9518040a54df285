import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { checkReadable } from '../../kit/read/one.ts'

type StageChange = {
  stage_id: string
  stage_name: string
  category: string
  lost_reason: string | null
  changed_by: string | null
  entered_at: string
  left_at: string | null
  duration: number
}

/** The stages that a deal has been in, oldest first, with the seconds it stayed in each. */
export async function stageHistory(ctx: Context, id: string): Promise<StageChange[]> {
  await checkReadable(ctx, ProjectOrDeal, id)
  return ctx.all<StageChange>(sql`
    select c.stage_id, s.stage_name, s.category, c.lost_reason, c.changed_by, c.entered_at,
      c.left_at, extract(epoch from coalesce(c.left_at, ${ctx.now().toISOString()}::timestamptz)
        - c.entered_at)::integer as duration
    from stage_changes c
    join stages s on s.organization_id = $organization and s.id = c.stage_id
    where ${mine(ctx, 'c')} and c.project_id = ${id} order by c.id`)
}
