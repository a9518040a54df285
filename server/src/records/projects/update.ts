import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import type { PlaceColumns } from '../../kit/record/rank.ts'
import { readText, readWhole } from '../../kit/read/one.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, once, update, versioned } from '../../kit/write/write.ts'
import { shownStatus, statusNamed } from '../../model/statuses/status.ts'
import { accountOfWonDeal, lockCompanies, withoutAccountOfWonDeal } from './account-of-deal.ts'
import type { FlatProject, ProjectFields } from './input.ts'
import { checkDates, fieldsOf, flat, ownerOf, typeOf } from './input.ts'
import type { History } from '../../model/time/history.ts'
import { finishedAt, isOther } from '../../model/time/history.ts'
import {
  lostReasonOf,
  announceClosed,
  announceStageChanged,
  announceStatus,
  entering,
  recordStage,
  typeOfId,
} from './move.ts'
import { placeOf } from './pipelines/place.ts'
import { checkMet, isOnward } from './pipelines/requirements.ts'
import { recordOfType } from '../../model/projects/project.ts'
import { shareParts } from './share.ts'
import { setTeam } from './team.ts'

/** Changes a project or deal: its fields, its team, its status, its stage. */
export async function updateProject(
  ctx: Context,
  id: string,
  input: ProjectFields,
  ifMatch?: number[],
  columns?: PlaceColumns,
  history?: History,
): Promise<Written> {
  const type = await typeOfId(ctx, id)
  const record = recordOfType(type)
  const sent = flat(input)
  if (type === 'deal' && (sent.stage_id || sent.pipeline_id)) {
    await lockCompanies(ctx, { deal: id, company: sent.company_id })
  }
  const locked = await lock(ctx, record, id, 'update', ifMatch)
  const { row } = locked
  const body = withoutRepeated(row, sent)
  if ((typeOf(body) ?? type) !== type)
    throw badField('project_type', `is ${type} and cannot be changed`)
  checkDates({ ...row, ...body })
  checkTemplate(body, row.template_id)
  const place =
    body.stage_id || body.pipeline_id
      ? await placeOf(ctx, body, { pipeline_id: row.pipeline_id, stage_id: row.stage_id })
      : undefined
  const stage = place?.stage.stage_id === row.stage_id ? undefined : place?.stage
  const entered = stage ? await entering(ctx, stage, body, history) : undefined
  if (stage && stage.category !== 'lost' && body.lost_reason?.trim()) {
    throw badField('lost_reason', notLost)
  }
  const set: { [column: string]: unknown } = { ...entered, ...columns }
  const isClosed = row.current_pipe_stage && row.current_pipe_stage.category !== 'open'
  if (!stage && isClosed && isOther(history, row.closed_at)) set.closed_at = history?.said
  if (!stage && typeof body.lost_reason === 'string') {
    const reason = await lostReasonOf(ctx, body.lost_reason)
    const isLost = row.current_pipe_stage?.category === 'lost'
    if (reason && !isLost) throw badField('lost_reason', notLost)
    if (reason && reason !== row.lost_reason) set.lost_reason = reason
  }
  const named = body.status ? await statusNamed(ctx, 'projects', body.status) : undefined
  const status = named?.id === row.status?.id ? undefined : named
  if (status) {
    set.status_id = status.id
    set.completed_at = status.category === 'completed' ? finishedAt(ctx, history) : null
  } else if (row.status?.category === 'completed' && isOther(history, row.completed_at)) {
    set.completed_at = history?.said
  }
  const team = body.project_team ? await setTeam(ctx, id, body.project_team) : []
  const owner = ownerOf(ctx, body.project_owner)
  const fields = owner ? { ...fieldsOf(body), project_owner: owner } : fieldsOf(body)
  const { share_all } = body
  if (share_all !== undefined) {
    fields.is_shared = share_all
    await shareParts(ctx, id, share_all)
  }
  const isWon = type === 'deal' && !history && stage?.category === 'won'
  // what the body itself says of the company and the account comes first
  const isLinked = fields.company_id !== undefined || fields.account_id !== undefined
  if (isWon && !isLinked) await accountOfWonDeal(ctx, id)
  let after = await update(ctx, locked, fields, { set, also: team })
  if (isWon && isLinked && (await accountOfWonDeal(ctx, id))) {
    after = readAgain(ctx, record, after)
  }
  const current = { ...after, name: String(body.project_name ?? row.project_name) }
  if (stage && place && type === 'deal' && !history && isOnward(place, row.stage_id)) {
    await checkMet(ctx, stage, () => after.whole())
  }
  if (stage && entered) {
    await recordStage(ctx, id, entered)
    const wasWon = row.current_pipe_stage?.category === 'won'
    if (wasWon && stage.category !== 'won') await withoutAccountOfWonDeal(ctx, id)
    if (type === 'deal') {
      await announceStageChanged(ctx, current, row.stage_id, stage)
      await announceClosed(ctx, current, row.stage_id, stage)
    }
  }
  if (status && type === 'project')
    await announceStatus(ctx, current, row.status, shownStatus(status))
  return after
}

/** A write whose record was changed since, as it is now. */
function readAgain(ctx: Context, record: AnyRecord, { id, version, ...rest }: Written): Written {
  const json = async () => versioned(record, await readText(ctx, record, id), version)
  return { ...rest, id, version, json, whole: once(() => readWhole(ctx, record, id)) }
}

const notLost = 'is for deals in a stage of the category lost'

/** 400 for a template other than the one from which the project was created. */
function checkTemplate(
  { template_id, org_temp_id, project_template }: FlatProject,
  now: string | null,
) {
  const named = { template_id, org_temp_id, project_template: project_template?.template_id }
  for (const [field, id] of Object.entries(named)) {
    if (id && id !== now) throw badField(field, 'is applied when a project is created')
  }
  if (project_template?.template_config && !project_template.template_id) {
    throw badField('project_template', 'is applied when a project is created')
  }
}
