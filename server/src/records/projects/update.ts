import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import type { Status } from '../statuses/status.ts'
import { statusNamed } from '../statuses/status.ts'
import type { Body } from './input.ts'
import { checkDates, fieldsOf, flat, ownerOf, typeOf } from './input.ts'
import {
  entering,
  rememberStage,
  emitClosed,
  emitCompleted,
  emitStageChanged,
  typeOfId,
} from './move.ts'
import { placeOf } from './pipeline.ts'
import { recordOfType } from './project.ts'
import { setTeam } from './team.ts'

/** Changes a project or deal: its fields, its team, its status, its stage. */
export async function updateProject(
  ctx: Context,
  id: string,
  given: Body,
  ifMatch?: number[],
): Promise<Written> {
  const body = flat(given)
  const type = await typeOfId(ctx, id)
  const record = recordOfType(type)
  const { row } = await lock(ctx, record, id, 'update', ifMatch)
  if ((typeOf(body) ?? type) !== type) throw badField('project_type', `is ${type} and stays so`)
  checkDates({ ...row, ...body })
  const set: { [column: string]: unknown } = {}
  const place =
    body.stage_id || body.pipeline_id
      ? await placeOf(ctx, body, { pipeline_id: row.pipeline_id, stage_id: row.stage_id })
      : undefined
  const stage = place?.stage.stage_id === row.stage_id ? undefined : place?.stage
  if (stage) Object.assign(set, await entering(ctx, stage, body))
  else if (typeof body.lost_reason === 'string' && row.current_pipe_stage?.category === 'lost') {
    const reason = body.lost_reason.trim()
    if (reason && reason !== row.lost_reason) set.lost_reason = reason
  }
  const old = row.status as Status | null
  const named = body.status ? await statusNamed(ctx, 'projects', body.status) : undefined
  const status = named?.id === old?.id ? undefined : named
  if (status) {
    set.status_id = status.id
    set.completed_at = status.category === 'completed' ? ctx.now().toISOString() : null
  }
  const team = body.project_team ? await setTeam(ctx, id, body.project_team) : []
  const owner = ownerOf(ctx, body.project_owner)
  const fields = owner ? { ...fieldsOf(body), project_owner: owner } : fieldsOf(body)
  const after = await update(ctx, record, id, fields, { set, also: team })
  const now = { ...after, name: String(body.project_name ?? row.project_name) }
  if (stage) {
    const lost_reason = (set.lost_reason as string | null) ?? null
    await rememberStage(ctx, id, { stage_id: stage.stage_id, lost_reason })
    if (type === 'deal') {
      await emitStageChanged(ctx, now, row.stage_id, stage)
      await emitClosed(ctx, now, row.stage_id, stage)
    }
  }
  if (status && type === 'project') await emitCompleted(ctx, now, old, status)
  return after
}
