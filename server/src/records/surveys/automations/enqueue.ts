import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { TriggerType } from '../../../model/surveys/automations/triggers.ts'

/** The job that runs an automation for one trigger. */
export const automationJob = { name: 'run-survey-automation' }
/** What triggered an automation: a response, or a move of its survey. */
export type Occasion = { automation_id: string; occasion: string; response_id: string | null }

/** The triggers of automations that run for a finished response. */
export const responseTriggers: TriggerType[] = ['response_submitted', 'score_above', 'score_below']

/** Enqueues the triggered automations of a survey, each on behalf of its creator. */
export async function enqueueAutomations(
  ctx: Context,
  survey_id: string,
  what: { response_id: string } | { moved: 'published' | 'closed'; version: number },
): Promise<void> {
  const types = 'moved' in what ? [what.moved] : responseTriggers
  const triggered = await ctx.all<{ automation_id: string; created_by: string | null }>(sql`
    select t.id as automation_id, t.created_by from survey_automations t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.is_active and t.deleted_at is null
      and t.trigger ->> 'type' = any(${types})
    order by t.position, t.creation_time, t.id`)
  for (const { automation_id, created_by } of triggered) {
    const occasion: Occasion =
      'moved' in what
        ? { automation_id, occasion: `${what.moved} ${what.version}`, response_id: null }
        : { automation_id, occasion: what.response_id, response_id: what.response_id }
    ctx.enqueue(automationJob, occasion, {
      as: created_by ? { user_id: created_by } : 'service',
    })
  }
}
