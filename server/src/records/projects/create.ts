import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Draft } from '../../kit/record/record.ts'
import { mayCreate } from '../../kit/record/scope.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import type { Status } from '../../model/statuses/status.ts'
import { shownStatus, statusFor, statusNamed } from '../../model/statuses/status.ts'
import type { LayOutOptions, UsedTemplate } from '../templates/dated.ts'
import { dated } from '../templates/dated.ts'
import type { LaidOut } from '../templates/layout.ts'
import { layOut } from '../templates/layout.ts'
import { accountOfWonDeal, lockCompanies } from './account-of-deal.ts'
import { accountFor } from './customer.ts'
import type { ProjectInput } from './input.ts'
import { checkDates, fieldsOf, flat, ownerOf, typeOf } from './input.ts'
import type { History } from '../../model/time/history.ts'
import { finishedBefore } from '../../model/time/history.ts'
import { announceClosed, announceStatus, entering, recordStage } from './move.ts'
import type { Stage } from '../../model/projects/pipelines/cached.ts'
import { placeOf } from './pipelines/place.ts'
import { checkMet } from './pipelines/requirements.ts'
import type { Project } from '../../model/projects/project.ts'
import { recordOfType } from '../../model/projects/project.ts'
import { setTeam } from './team.ts'
import { templateFor } from './template.ts'

/** How the plan of a template is created, and who hears what was created. */
export type Laying = LayOutOptions & { onLaidOut?: (laidOut: LaidOut) => void }

/**
 * Creates a project or deal with everything in its body: account and customer, place in a
 * pipeline, team, and the milestones and tasks of its template. Both surfaces use it.
 */
export async function createProject(
  ctx: Context,
  input: ProjectInput,
  more: { [column: string]: unknown } = {},
  history?: History,
  laying: Laying = {},
): Promise<Written> {
  const body = flat(input)
  const type = typeOf(body) ?? 'project'
  mayCreate(ctx, recordOfType(type).module)
  const { project_name } = body
  if (typeof project_name !== 'string' || !project_name.trim()) {
    throw badField(input.project ? 'project.project_name' : 'project_name', 'is required')
  }
  checkDates(body)
  const template = await templateFor(ctx, body)
  const account = await accountFor(ctx, body.account, body.account_id)
  const owner = ownerOf(ctx, body.project_owner)
  const isPlaced = type === 'deal' || body.stage_id || body.pipeline_id
  const place = isPlaced ? await placeOf(ctx, body) : undefined
  if (body.lost_reason?.trim() && place?.stage.category !== 'lost') {
    throw badField('lost_reason', 'is for deals in a stage of the category lost')
  }
  const status = body.status ? await statusNamed(ctx, 'projects', body.status) : undefined
  const set: { [column: string]: unknown } = {
    template_id: template?.id ?? null,
    template_version: template?.version ?? null,
    ...(account ? { account_id: account.id } : {}),
    ...(account?.contact && !body.customer ? { customer_contact: account.contact } : {}),
    ...more,
  }
  const fields = {
    ...fieldsOf(body),
    project_name,
    project_type: type,
    ...(owner ? { project_owner: owner } : {}),
  }
  const isWon = type === 'deal' && place?.stage.category === 'won' && !history
  if (isWon) await lockCompanies(ctx, { company: body.company_id })
  const created = await insertProject(ctx, fields, {
    set,
    stage: place?.stage,
    lost_reason: body.lost_reason,
    history,
    status,
    team: body.project_team,
    plan: (id) => (template ? layOutOn(ctx, id, template, laying) : undefined),
  })
  if (isWon) await accountOfWonDeal(ctx, created.id)
  if (type === 'deal' && body.stage_id && place && !history) {
    await checkMet(ctx, place.stage, () => created.whole())
  }
  return created
}

type Parts = {
  /** columns that no body can set */
  set: { [column: string]: unknown }
  /** the first stage of a deal */
  stage?: Stage
  lost_reason?: string | null
  /** when it was closed or completed, for a record that was kept elsewhere until now */
  history?: History
  /** the status, by default "not started" */
  status?: Status
  /** the people on its team, as bodies name them */
  team?: unknown[]
  /** a function that creates its milestones and tasks */
  plan(id: string): Promise<void> | undefined
}

/** Inserts a project or deal with everything that belongs to it and its events: the last step of every create. */
export async function insertProject(
  ctx: Context,
  fields: Draft<typeof Project>,
  { set: columns, stage, lost_reason, history, status: named, team = [], plan }: Parts,
): Promise<Written> {
  const type = fields.project_type ?? 'project'
  const status = named ?? (await statusFor(ctx, 'projects', 'not_started'))
  const entered = stage ? await entering(ctx, stage, { lost_reason }, history) : undefined
  const set = {
    object_source: ctx.source,
    status_id: status.id,
    completed_at: status.category === 'completed' ? finishedBefore(ctx, history) : null,
    ...entered,
    ...(entered?.closed_at ? { closed_at: finishedBefore(ctx, history) } : {}),
    ...columns,
  }
  const created = await insert(ctx, recordOfType(type), fields, {
    set,
    async along(id) {
      const changes = team.length ? await setTeam(ctx, id, team) : []
      if (entered) await recordStage(ctx, id, entered)
      await plan(id)
      return changes.map(({ field, to }) => ({ field, from: null, to }))
    },
  })
  const current = { ...created, name: fields.project_name }
  if (stage && type === 'deal') await announceClosed(ctx, current, null, stage)
  if (type === 'project') await announceStatus(ctx, current, null, shownStatus(status))
  return created
}

async function layOutOn(ctx: Context, id: string, template: UsedTemplate, laying: Laying) {
  const project = await ctx.one<Parameters<typeof dated>[1]>(sql`
    select t.id, t.project_owner, t.project_manager, t.account_id, t.start_date::text,
      t.due_date::text, t.holidays_id
    from projects t where ${mine(ctx)} and t.id = ${id}`)
  if (!project) return
  const { onLaidOut, ...options } = laying
  const plan = await dated(ctx, project, template, options)
  const laidOut = await layOut(ctx, { ...project, id }, plan)
  onLaidOut?.(laidOut)
}
