import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** The job that runs an automation at one occasion. */
export const runningAutomation = { name: 'run-survey-automation' }
export type Occasion = { automation_id: string; occasion: string; response_id: string | null }

const byAnswer = ['response_submitted', 'score_above', 'score_below']

/** Asks for the automations of a survey that wait for this, each on behalf of whoever made it. */
export async function enqueueAutomations(
  ctx: Context,
  survey_id: string,
  what: { response_id: string } | { moved: 'published' | 'closed'; version: number },
): Promise<void> {
  const types = 'moved' in what ? [what.moved] : byAnswer
  const waiting = await ctx.all<{ id: string; created_by: string | null }>(sql`
    select t.id, t.created_by from survey_automations t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.is_active and t.deleted_at is null
      and t.trigger ->> 'type' = any(${types})`)
  for (const { id: automation_id, created_by } of waiting) {
    const asked: Occasion =
      'moved' in what
        ? { automation_id, occasion: `${what.moved} ${what.version}`, response_id: null }
        : { automation_id, occasion: what.response_id, response_id: what.response_id }
    ctx.enqueue(runningAutomation, asked, {
      as: created_by ? { user_id: created_by } : 'service',
    })
  }
}
