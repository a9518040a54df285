import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { enqueueAutomations } from './automations/enqueue.ts'
import type { Page } from '../../model/forms/form-parts.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import type { SurveyStatus } from '../../model/surveys/survey.ts'
import { Survey } from '../../model/surveys/survey.ts'

/** The allowed moves by status; keeping the status is no move. */
const moves: { [from in SurveyStatus]: SurveyStatus[] } = {
  draft: ['published'],
  published: ['closed', 'draft'],
  closed: ['published', 'draft'],
}

type Movable = Pick<Row<typeof Survey>, 'status' | 'item_type' | 'response_count' | 'end_date'> & {
  form_structure: { pages: Page[] }
}

/** The columns that a move sets; 409 if it is not allowed, 400 if something is missing for publishing. */
export function moveTo(ctx: Context, survey: Movable, to: SurveyStatus): { status?: SurveyStatus } {
  const from = survey.status
  if (from === to) return {}
  if (survey.item_type === 'survey_template') {
    throw conflict('A template cannot be published or closed: duplicate it', 'template')
  }
  if (!moves[from].includes(to)) {
    throw conflict(`A survey cannot go from ${from} to ${to}`, 'wrong_move', { from, to })
  }
  if (to === 'draft' && survey.response_count > 0) {
    throw conflict('A survey with responses cannot go back to draft', 'wrong_move', { from, to })
  }
  if (to === 'published') checkPublishable(ctx, survey)
  return { status: to }
}

/** Publishes or closes; idempotent. */
export async function moveSurvey(ctx: Context, id: string, to: SurveyStatus): Promise<Written> {
  const locked = await lock(ctx, Survey, id, 'update')
  const { row } = locked
  const set = moveTo(ctx, row, to)
  const after = await update(ctx, locked, {}, { set })
  if (set.status) await announceMove(ctx, row, after, to)
  return after
}

/** Emits the event of a move, besides the log entry of the change, and triggers automations. */
export async function announceMove(
  ctx: Context,
  { status, name }: Pick<Row<typeof Survey>, 'status' | 'name'>,
  { id, version, whole }: Written,
  to: SurveyStatus,
) {
  if (to === 'draft') return
  const changes = [{ field: 'status', from: status, to }]
  await announce(ctx, Survey, `survey_${to}`, { id, version, whole, changes, name, action: to })
  await enqueueAutomations(ctx, id, { moved: to, version })
}

/** Closes a batch of the organization's surveys whose end has passed; returns how many. */
export async function closeEnded(ctx: Context): Promise<number> {
  const ended = await ctx.all<{ id: string }>(sql`select t.id from surveys t
    where ${mine(ctx)} and t.status = 'published' and t.end_date <= ${ctx.now().toISOString()}
      and t.deleted_at is null order by t.end_date limit 50`)
  for (const { id } of ended) await moveSurvey(ctx, id, 'closed')
  return ended.length
}

/** 400 for a structure without questions, which cannot be published. */
export function checkHasQuestions(pages: Page[]) {
  if (!questionsOf(pages).length) {
    throw badField('form_structure', 'must have at least one question to be published')
  }
}

function checkPublishable(ctx: Context, { form_structure, end_date }: Movable) {
  checkHasQuestions(form_structure.pages)
  if (end_date && new Date(end_date) <= ctx.now()) {
    throw badField('end_date', 'must be in the future to be published')
  }
}
