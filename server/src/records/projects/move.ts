import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { hasSubscribers } from '../../kit/write/events.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { update } from '../../kit/write/write.ts'
import { optionSets } from '../field-config/options.ts'
import type { Status } from '../statuses/status.ts'
import { shownStatus } from '../statuses/status.ts'
import type { Stage } from './pipeline.ts'
import { Deal, Project, recordOfType } from './project.ts'
import type { Change } from '../../kit/ground/event.ts'

/** Whether a project or a deal; 404 when there is none. What the caller may do is asked later. */
export async function typeOfId(ctx: Context, id: string): Promise<'project' | 'deal'> {
  const found = await ctx.one<{ project_type: 'project' | 'deal' }>(sql`
    select project_type from projects t where ${mine(ctx)} and t.deleted_at is null and t.id = ${id}`)
  if (!found) throw notFound('Project')
  return found.project_type
}

/** Makes a project or deal an account's; 400 naming `field` where that is not the caller's to do. */
export async function moveToAccount(ctx: Context, id: string, account_id: string, field: string) {
  try {
    await update(ctx, recordOfType(await typeOfId(ctx, id)), id, { account_id })
  } catch (error) {
    if ((error as { status?: number }).status === 404) throw badField(field, 'no such record')
    throw error
  }
}

/**
 * What entering a stage sets: a won or lost deal is closed, leaving reopens it, and a lost one needs
 * a reason where the organization keeps reasons.
 */
export async function entering(ctx: Context, stage: Stage, given: { lost_reason?: string | null }) {
  const isClosed = stage.category !== 'open'
  const reason = given.lost_reason?.trim() || null
  if (stage.category === 'lost' && !reason) {
    const { lost_reasons = [] } = await optionSets(ctx, 'projects')
    const words = lost_reasons.map(({ value }) => value).join(', ')
    if (words) throw badField('lost_reason', `is required to lose a deal; reasons are ${words}`)
  }
  const now = ctx.now().toISOString()
  return {
    stage_id: stage.stage_id,
    pipeline_id: stage.pipeline_id,
    stage_entered_at: now,
    closed_at: isClosed ? now : null,
    lost_reason: stage.category === 'lost' ? reason : null,
  }
}

/** Keeps how long a deal stays in each stage. */
export async function rememberStage(
  ctx: Context,
  project_id: string,
  { stage_id, lost_reason }: { stage_id: string; lost_reason: string | null },
) {
  const now = ctx.now().toISOString()
  await ctx.run(sql`update stage_changes t set left_at = ${now}
    where ${mine(ctx)} and t.project_id = ${project_id} and t.left_at is null`)
  await ctx.run(sql`insert into stage_changes
      (organization_id, id, project_id, stage_id, lost_reason, changed_by, entered_at)
    values (${ctx.organization.id}, ${newId()}, ${project_id}, ${stage_id}, ${lost_reason},
      ${ctx.actor.user_id}, ${now})`)
}

type Now = { id: string; version: number; name: string; json(): Promise<string> }

/** The event of a move beside `deal_updated`, with the deal as it is now. */
export function emitStageChanged(ctx: Context, deal: Now, from: string | null, stage: Stage) {
  const title = `Deal moved to ${stage.stage_name}`
  const change = { field: 'stage_id', from, to: stage.stage_id }
  return tell(ctx, deal, { type: 'deal_stage_changed', title, action: 'moved', change })
}

/** That a deal was won or lost, where its stage says so; a deal may be made so. */
export async function emitClosed(ctx: Context, deal: Now, from: string | null, stage: Stage) {
  const { category, stage_id } = stage
  if (category === 'open') return
  const change = { field: 'stage_id', from, to: stage_id }
  await tell(ctx, deal, {
    type: `deal_${category}`,
    title: `Deal ${category}`,
    action: category,
    change,
  })
}

/** That a project's status changed, and that it was completed where the status says so. */
export async function emitCompleted(ctx: Context, project: Now, from: Status | null, to: Status) {
  const change = { field: 'status', from, to: shownStatus(to) }
  if (from) {
    const title = 'Project status changed'
    await tell(ctx, project, { type: 'project_status_changed', title, action: 'updated', change })
  }
  if (to.category !== 'completed' || from?.category === 'completed') return
  const title = 'Project completed'
  await tell(ctx, project, { type: 'project_completed', title, action: 'completed', change })
}

type Told = { type: string; title: string; action: string; change: Change }

async function tell(ctx: Context, now: Now, { type, title, action, change }: Told) {
  const record = type.startsWith('deal_') ? Deal : Project
  ctx.emit({
    type,
    title,
    module_id: record.number,
    reference_id: now.id,
    project_id: now.id,
    changes: [change],
    data: (await hasSubscribers(ctx, type)) ? await now.json() : undefined,
    version: now.version,
    raw_description: { action, module: record.module, name: now.name },
  })
}
