import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, Failure, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import { capitalized } from '../../kit/record/record.ts'
import type { Announcement } from '../../kit/write/announce.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { allOptions, optionNamed, optionSets } from '../../kit/record/option-sets.ts'
import type { History } from '../../model/time/history.ts'
import { finishedAt } from '../../model/time/history.ts'
import type { ShownStatus } from '../../model/statuses/status.ts'
import type { Stage } from '../../model/projects/pipelines/cached.ts'
import { heldStage } from './pipelines/place.ts'
import { Deal, Project, recordOfType } from '../../model/projects/project.ts'

/** Whether an id is a project or a deal; 404 if there is none, with the name of what was expected. Rights are checked later. */
export async function typeOfId(
  ctx: Context,
  id: string,
  expected: 'project' | 'deal' = 'project',
): Promise<'project' | 'deal'> {
  const found = await ctx.one<{ project_type: 'project' | 'deal' }>(sql`
    select project_type from projects t where ${mine(ctx)} and t.deleted_at is null and t.id = ${id}`)
  if (!found) throw notFound(capitalized(expected))
  return found.project_type
}

/** Moves a project or deal to an account; 400 naming `field` if the caller cannot see the account. */
export async function moveToAccount(ctx: Context, id: string, account_id: string, field: string) {
  try {
    await update(ctx, await lock(ctx, recordOfType(await typeOfId(ctx, id)), id, 'update'), {
      account_id,
    })
  } catch (error) {
    if (error instanceof Failure && error.status === 404) throw badField(field, 'no such record')
    throw error
  }
}

/**
 * The columns that a new stage sets: entering a won or lost stage closes the deal, leaving it reopens the deal, and a
 * lost deal needs a reason if the organization has configured reasons. 409 if the cached stage
 * has changed meanwhile.
 */
export async function entering(
  ctx: Context,
  stage: Stage,
  { lost_reason }: { lost_reason?: string | null },
  history?: History,
) {
  const now = await heldStage(ctx, stage)
  if (now?.category !== stage.category || now.is_archived) {
    throw conflict('The stages of this pipeline have just changed: try again', 'stage_changed')
  }
  const isClosed = stage.category !== 'open'
  const reason = (await lostReasonOf(ctx, lost_reason)) || null
  if (stage.category === 'lost' && !reason && !history) {
    const { lost_reasons = [] } = await optionSets(ctx, 'projects')
    const words = lost_reasons.map(({ value }) => value).join(', ')
    if (words) throw badField('lost_reason', `is required to lose a deal; reasons are ${words}`)
  }
  const entered_at = isClosed ? finishedAt(ctx, history) : ctx.now().toISOString()
  return {
    stage_id: stage.stage_id,
    pipeline_id: stage.pipeline_id,
    stage_entered_at: entered_at,
    closed_at: isClosed ? entered_at : null,
    lost_reason: stage.category === 'lost' ? reason : null,
  }
}

/** A reason as stored: the value of its option, if it names one. */
export async function lostReasonOf(ctx: Context, reason: string | null | undefined) {
  const word = reason?.trim() ?? ''
  const { lost_reasons = [] } = await allOptions(ctx, 'projects')
  return optionNamed(lost_reasons, word) ?? word
}

/**
 * Adds the stage to a deal's stage history. A move that waited for another one began before it, so its time
 * could be before that of the stage that it leaves.
 */
export async function recordStage(
  ctx: Context,
  project_id: string,
  {
    stage_id,
    lost_reason,
    stage_entered_at: now = ctx.now().toISOString(),
  }: { stage_id: string; lost_reason: string | null; stage_entered_at?: string },
) {
  const left = await ctx.one<{ left_at: string }>(sql`
    update stage_changes t set left_at = greatest(${now}::timestamptz, t.entered_at)
    where ${mine(ctx)} and t.project_id = ${project_id} and t.left_at is null
    returning t.left_at`)
  await ctx.run(sql`insert into stage_changes
      (organization_id, id, project_id, stage_id, lost_reason, changed_by, entered_at)
    values (${ctx.organization.id}, ${newId()}, ${project_id}, ${stage_id}, ${lost_reason},
      ${ctx.actor.user_id}, ${left?.left_at ?? now})`)
}

/** A project or deal after a write, as its events show it. */
export type Current = { id: string; version: number; name: string; whole(): Promise<string> }

type NamedStage = Pick<Stage, 'stage_id' | 'stage_name' | 'category'>

/** The event of a move besides `deal_updated`, with the deal as it is now. */
export function announceStageChanged(
  ctx: Context,
  deal: Current,
  from: string | null,
  to: NamedStage,
) {
  return announceChange(ctx, 'deal_stage_changed', deal, {
    title: `Deal moved to ${to.stage_name}`,
    action: 'moved',
    changes: [{ field: 'stage_id', from, to: to.stage_id }],
  })
}

/** The event for a won or lost deal, if its stage has that category. */
export async function announceClosed(
  ctx: Context,
  deal: Current,
  from: string | null,
  { category, stage_id }: NamedStage,
) {
  if (category === 'open') return
  await announceChange(ctx, `deal_${category}`, deal, {
    action: category,
    changes: [{ field: 'stage_id', from, to: stage_id }],
  })
}

/** The events of a project whose status changed, and of its completion. */
export async function announceStatus(
  ctx: Context,
  project: Current,
  from: { category: string } | null,
  to: ShownStatus,
) {
  const changes = [{ field: 'status', from, to }]
  if (from) await announceChange(ctx, 'project_status_changed', project, { changes })
  if (to.category !== 'completed' || from?.category === 'completed') return
  await announceChange(ctx, 'project_completed', project, { action: 'completed', changes })
}

type Placed = Pick<
  Row<typeof Deal>,
  'project_name' | 'project_type' | 'stage_id' | 'lost_reason' | 'current_pipe_stage' | 'status'
>

/**
 * The stage history and the events of a project or deal whose former values were just restored, as if
 * it had been moved to the stage and status that these name.
 */
export async function followReturn(ctx: Context, written: Written, before: Placed): Promise<void> {
  const after = JSON.parse(await written.whole()) as Placed
  const { project_name: name, stage_id, lost_reason, current_pipe_stage: stage, status } = after
  const current = { ...written, name }
  const isDeal = after.project_type === 'deal'
  if (stage && stage_id && stage_id !== before.stage_id) {
    await recordStage(ctx, written.id, { stage_id, lost_reason })
    if (isDeal) {
      await announceStageChanged(ctx, current, before.stage_id, stage)
      await announceClosed(ctx, current, before.stage_id, stage)
    }
  }
  if (!isDeal && status && status.id !== before.status?.id) {
    await announceStatus(ctx, current, before.status, status)
  }
}

function announceChange(
  ctx: Context,
  event: string,
  current: Current,
  more: Pick<Announcement, 'title' | 'action' | 'changes'>,
) {
  const record = event.startsWith('deal_') ? Deal : Project
  return announce(ctx, record, event, { ...current, project_id: current.id, ...more })
}
