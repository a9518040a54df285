import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { statusFor, statusNamed } from '../statuses/status.ts'
import { layOut } from '../templates/layout.ts'
import type { Body } from './input.ts'
import {
  accountFor,
  checkDates,
  fieldsOf,
  flat,
  mayCreate,
  ownerOf,
  templateFor,
  typeOf,
} from './input.ts'
import { entering, rememberStage, emitClosed, emitCompleted } from './move.ts'
import { placeOf } from './pipeline.ts'
import type { Draft } from '../../kit/record/record.ts'
import type { Project } from './project.ts'
import { recordOfType } from './project.ts'
import { setTeam } from './team.ts'

/**
 * Makes a project or deal with everything that its body says: account and customer, place in a
 * pipeline, team, and the milestones and tasks of its template. Both surfaces come here.
 */
export async function createProject(
  ctx: Context,
  given: Body,
  more: { [column: string]: unknown } = {},
): Promise<Written> {
  const body = flat(given)
  const type = typeOf(body) ?? 'project'
  const record = recordOfType(type)
  mayCreate(ctx, record.module)
  if (typeof body.project_name !== 'string' || !body.project_name.trim()) {
    throw badField(given.project ? 'project.project_name' : 'project_name', 'is required')
  }
  checkDates(body)
  const template = await templateFor(ctx, body)
  const account = await accountFor(ctx, body.account)
  const owner = ownerOf(ctx, body.project_owner)
  const isPlaced = type === 'deal' || body.stage_id || body.pipeline_id
  const place = isPlaced ? await placeOf(ctx, body) : undefined
  const status = body.status
    ? await statusNamed(ctx, 'projects', body.status)
    : await statusFor(ctx, 'projects', 'not_started')
  const set: { [column: string]: unknown } = {
    object_source: ctx.source,
    status_id: status.id,
    completed_at: status.category === 'completed' ? ctx.now().toISOString() : null,
    template_id: template?.id ?? null,
    ...(place ? await entering(ctx, place.stage, body) : {}),
    ...(account ? { account_id: account.id } : {}),
    ...(account?.contact && !body.customer_project_owner
      ? { customer_contact: account.contact }
      : {}),
    ...more,
  }
  if (!account && !body.account_id && body.company_id) {
    set.account_id = await accountOfCompany(ctx, body.company_id)
  }
  const fields = { ...fieldsOf(body), project_type: type } as Draft<typeof Project>
  const made = await insert(
    ctx,
    record,
    owner ? { ...fields, project_owner: owner as string } : fields,
    {
      set,
      async along(id) {
        const team = body.project_team ? await setTeam(ctx, id, body.project_team) : []
        if (place) {
          const lost_reason = (set.lost_reason as string | null) ?? null
          await rememberStage(ctx, id, { stage_id: place.stage.stage_id, lost_reason })
        }
        if (template) await layOutOn(ctx, id, template.config)
        return team.map(({ field, to }) => ({ field, from: null, to }))
      },
    },
  )
  const now = { ...made, name: body.project_name }
  if (place && type === 'deal') await emitClosed(ctx, now, null, place.stage)
  if (type === 'project') await emitCompleted(ctx, now, null, status)
  return made
}

async function accountOfCompany(ctx: Context, company: unknown): Promise<string | null> {
  const id = typeof company === 'string' ? company : (company as Body | null)?.company_id
  if (typeof id !== 'string') return null
  const found = await ctx.one<{ id: string }>(sql`select t.id from accounts t
    where ${mine(ctx)} and t.company_id = ${id} and t.deleted_at is null order by t.id limit 1`)
  return found?.id ?? null
}

async function layOutOn(ctx: Context, id: string, config: Parameters<typeof layOut>[2]) {
  const project = await ctx.one<Parameters<typeof layOut>[1]>(sql`
    select t.id, t.project_owner, t.project_manager, t.account_id, t.start_date::text,
      t.due_date::text, t.holidays_id
    from projects t where ${mine(ctx)} and t.id = ${id}`)
  await layOut(ctx, project!, config)
}
