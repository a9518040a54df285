import type { Context } from '../../../kit/ground/context.ts'
import { Failure, notFound } from '../../../kit/ground/errors.ts'
import type { Job } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { responseColumns } from '../../../model/surveys/responses/response.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import type { StoredAutomation } from '../../../model/surveys/automations/automation.ts'
import { conditionsHold } from './conditions.ts'
import type { Occasion } from './enqueue.ts'
import { automationJob } from './enqueue.ts'
import type { Made, Run } from './perform.ts'
import { performAction } from './perform.ts'
import { scoreMatches } from '../../../model/surveys/automations/triggers.ts'

/**
 * Runs an automation for one trigger, on behalf of its creator. Its row in the log of runs is unique
 * and written in the same transaction as the effects of the actions, so it happens once. An action
 * that is refused makes the run fail with the reason, and all its effects are rolled back.
 */
export const runAutomation: Job<Occasion> = {
  ...automationJob,
  async run({ write }, occasion) {
    try {
      await write(async (ctx) => {
        const automation = await ctx.one<StoredAutomation>(sql`
          select t.* from survey_automations t
          where ${mine(ctx)} and t.id = ${occasion.automation_id} and t.is_active
            and t.deleted_at is null`)
        if (!automation) return
        const run = await readRun(ctx, automation, occasion.response_id)
        const applies = await isApplicable(ctx, run)
        const status = applies ? 'done' : 'skipped'
        const isFirst = await logRun(ctx, automation.survey_id, occasion, status)
        if (!applies || !isFirst) return
        const made: Made[] = []
        for (const action of automation.actions) {
          made.push(...((await performAction(ctx, action, run)) ?? []))
        }
        if (made.length) await storeResults(ctx, occasion, made)
      })
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      await write((ctx) => logFailure(ctx, occasion, error.message))
    }
  },
  refuse: logFailure,
}

/** What a run has made, with its row. */
function storeResults(ctx: Context, { automation_id, occasion }: Occasion, made: Made[]) {
  return ctx.run(sql`update survey_automation_runs t set results = ${JSON.stringify(made)}::jsonb
    where ${mine(ctx)} and t.automation_id = ${automation_id} and t.occasion = ${occasion}`)
}

async function logFailure(ctx: Context, occasion: Occasion, reason: string): Promise<void> {
  const automation = await ctx.one<{ survey_id: string }>(sql`
    select t.survey_id from survey_automations t
    where ${mine(ctx)} and t.id = ${occasion.automation_id}`)
  if (automation) await logRun(ctx, automation.survey_id, occasion, 'failed', reason)
}

async function readRun(
  ctx: Context,
  automation: StoredAutomation,
  response_id: string | null,
): Promise<Run> {
  const survey = await ctx.one<StoredSurvey>(sql`select t.* from surveys t
    where ${mine(ctx)} and t.id = ${automation.survey_id}`)
  if (!survey) throw notFound('Survey')
  const response = response_id
    ? await ctx.one<SurveyResponse>(sql`select ${responseColumns} from survey_responses t
        where ${mine(ctx)} and t.id = ${response_id}`)
    : undefined
  return { automation, survey, response }
}

async function isApplicable(ctx: Context, { automation, survey, response }: Run) {
  const { trigger, conditions } = automation
  const { pages } = survey.form_structure
  const { answers = {}, respondent_email = null } = response ?? {}
  if (!scoreMatches(trigger, pages, answers)) return false
  const [holds = false] = await conditionsHold(ctx, conditions, survey, [
    { answers, respondent_email },
  ])
  return holds
}

/** True the first time. A retry of a failed run changes nothing. */
async function logRun(
  ctx: Context,
  survey_id: string,
  { automation_id, occasion, response_id }: Occasion,
  status: 'done' | 'skipped' | 'failed',
  failure: string | null = null,
): Promise<boolean> {
  const rows = await ctx.run(sql`
    insert into survey_automation_runs (organization_id, automation_id, occasion, survey_id,
      response_id, status, error, creation_time)
    values (${ctx.organization.id}, ${automation_id}, ${occasion}, ${survey_id}, ${response_id},
      ${status}, ${failure}, ${ctx.now().toISOString()})
    on conflict do nothing`)
  return rows > 0
}
