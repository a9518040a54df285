import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { enqueueAutomations } from './automation-enqueue.ts'
import type { Page } from './structure.ts'
import { questionsOf } from './structure.ts'
import { Survey } from './survey.ts'

export type Status = 'draft' | 'published' | 'closed'

/** Where a survey may go; staying is no move. */
const moves: { [from in Status]: Status[] } = {
  draft: ['published'],
  published: ['closed', 'draft'],
  closed: ['published', 'draft'],
}

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** The columns of a move; 409 for one that cannot be, 400 for what is missing to publish. */
export function moveTo(ctx: Context, row: Row, to: Status): { status?: Status } {
  const from = row.status as Status
  if (from === to) return {}
  if (row.item_type === 'survey_template') {
    throw conflict('A template cannot be published or closed: duplicate it', 'template')
  }
  if (!moves[from].includes(to)) {
    throw conflict(`A survey cannot go from ${from} to ${to}`, 'wrong_move', { from, to })
  }
  if (to === 'draft' && row.response_count > 0) {
    throw conflict('A survey with responses cannot go back to draft', 'wrong_move', { from, to })
  }
  if (to === 'published') checkComplete(ctx, row)
  return { status: to }
}

/** Publishes or closes; repeated it changes nothing. */
export async function moveSurvey(ctx: Context, id: string, to: Status): Promise<Written> {
  const { row } = await lock(ctx, Survey, id, 'update')
  const set = moveTo(ctx, row, to)
  const after = await update(ctx, Survey, id, {}, { set })
  if (set.status) await announceMove(ctx, id, row, after, to)
  return after
}

/** The events of a move, beside the log entry of the change. */
export async function announceMove(ctx: Context, id: string, row: Row, after: Written, to: Status) {
  if (to === 'draft') return
  ctx.emit({
    type: `survey_${to}`,
    title: `Survey ${to}`,
    module_id: Survey.number,
    reference_id: id,
    changes: [{ field: 'status', from: row.status, to }],
    data: await after.json(),
    version: after.version,
    raw_description: { action: to, module: 'surveys', name: row.name },
  })
  await enqueueAutomations(ctx, id, { moved: to, version: after.version })
}

/** Closes a batch of the organization's surveys whose end has passed; gives how many. */
export async function closeEnded(ctx: Context): Promise<number> {
  const ended = await ctx.all<{ id: string }>(sql`select t.id from surveys t
    where ${mine(ctx)} and t.status = 'published' and t.end_date <= ${ctx.now().toISOString()}
      and t.deleted_at is null order by t.end_date limit 50`)
  for (const { id } of ended) await moveSurvey(ctx, id, 'closed')
  return ended.length
}

/** 400 for a structure that asks nothing: no survey is published so. */
export function checkAsks({ form_structure }: Row) {
  const pages = (form_structure?.pages ?? []) as Page[]
  if (!questionsOf(pages).length) {
    throw badField('form_structure', 'must have at least one question to be published')
  }
}

function checkComplete(ctx: Context, row: Row) {
  const { end_date } = row
  checkAsks(row)
  if (end_date && new Date(end_date) <= ctx.now()) {
    throw badField('end_date', 'must be in the future to be published')
  }
}
