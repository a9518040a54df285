import type { Context } from '../../kit/ground/context.ts'
import { definitions } from '../../kit/record/custom.ts'
import { addDays, daysBetween, isDay } from '../../kit/ground/dates.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import type { AnyRecord, Draft } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { checkReadable, insert, lock, readOne } from '../../kit/write/write.ts'
import { Account } from '../accounts/account.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { statusFor } from '../statuses/status.ts'
import { copyPlan } from './copy.ts'
import { createProject } from './create.ts'
import type { Body } from './input.ts'
import { mayCreate } from './input.ts'
import { entering, rememberStage, typeOfId } from './move.ts'
import { pipelinesOf } from './pipeline.ts'
import { Deal, Project, recordOfType } from './project.ts'
import { setTeam } from './team.ts'

/**
 * A copy of a project or deal as if nothing of it had been begun: its milestones and tasks too, as
 * far as the caller sees them, and every date moved by as much as the start.
 */
export async function duplicateProject(ctx: Context, id: string, body: Body): Promise<Written> {
  const record = recordOfType(await typeOfId(ctx, id))
  const { body: read } = await readOne(ctx, record, id)
  mayCreate(ctx, record.module)
  const source = JSON.parse((read as { text: string }).text) as Body
  const { set, stage_id } = await freshPlace(ctx, source)
  const fields = {
    ...copyOf(source, body),
    ...(await livingLinks(ctx, source)),
    custom_fields: await copiedCustom(ctx, record, source.custom_fields),
  } as Draft<typeof Project>
  return insert(ctx, record, fields, {
    set,
    async along(copy) {
      if (stage_id) await rememberStage(ctx, copy, { stage_id, lost_reason: null })
      const team = await setTeam(ctx, copy, await livingTeam(ctx, id))
      await copyPlan(ctx, id, copy, source.start_date, body.start_date)
      return team.map(({ field, to }) => ({ field, from: null, to }))
    },
  })
}

/** The project that follows a won deal, once: 409 with its id where it is there already. */
export async function convertDeal(ctx: Context, id: string, body: Body): Promise<Written> {
  if ((await typeOfId(ctx, id)) === 'project') {
    await checkReadable(ctx, Project, id)
    throw conflict('Only a won deal becomes a project; this is a project already')
  }
  const { row } = await lock(ctx, Deal, id, 'update')
  const category = row.current_pipe_stage?.category ?? 'open'
  if (category !== 'won') {
    throw conflict(`Only a won deal becomes a project; this one is ${category}`)
  }
  const before = await ctx.one<{ id: string }>(sql`select t.id from projects t
    where ${mine(ctx)} and t.converted_from = ${id} and t.deleted_at is null limit 1`)
  if (before) {
    throw conflict('This deal has its project already', 'duplicate', { project_id: before.id })
  }
  const given = {
    ...(await livingLinks(ctx, row)),
    project_name: body.project_name ?? row.project_name,
    project_type: 'project',
    description: row.description ?? undefined,
    revenue: row.revenue ?? row.expected_deal_value,
    is_private: row.is_private,
    visible_to_all: row.visible_to_all,
    start_date: body.start_date,
    due_date: body.due_date,
    template_id: body.template_id ?? (await livingTemplate(ctx, row.template_id)),
    project_team: await livingTeam(ctx, id),
  }
  return createProject(ctx, given, { converted_from: id })
}

const copied = [
  'description',
  'project_type',
  'tags',
  'phase',
  'is_arr',
  'revenue',
  'other_revenue',
  'project_fee',
  'expected_deal_value',
  'expected_onboarding_fee',
  'hourly_rate',
  'monthly_rate',
  'billing_model',
  'billing_frequency',
  'contract_duration',
  'deal_resources',
  'project_duration',
  'show_forecasted_date',
  'visible_to_all',
  'is_private',
  'invite_type',
]

function copyOf(source: Body, { project_name, start_date }: Body): Body {
  const shift = start_date && source.start_date ? daysBetween(source.start_date, start_date) : 0
  const moved = (day: string | null) => {
    const to = day && addDays(day, shift)
    if (to && !isDay(to)) throw badField('start_date', `moves ${day} beyond the calendar`)
    return to
  }
  const fields = {
    ...Object.fromEntries(copied.map((name) => [name, source[name]])),
    project_name: project_name ?? `${source.project_name.slice(0, 248)} (copy)`,
    start_date: start_date ?? source.start_date,
    due_date: moved(source.due_date),
    forecasted_date: moved(source.forecasted_date),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null))
}

/** What may stand in a second record too: no archived fields, and none that must be unique. */
async function copiedCustom(ctx: Context, { module }: AnyRecord, custom: Body): Promise<Body> {
  const known = await definitions(ctx, module)
  return Object.fromEntries(
    Object.entries(custom).filter(([key]) => {
      const field = known.get(key)
      return !field?.unique && !field?.is_archived
    }),
  )
}

/** The links of a record that still lead to something that the caller sees. */
async function livingLinks(ctx: Context, row: Body): Promise<Body> {
  const links: [name: string, id: string | undefined, to: AnyRecord | 'users' | 'holiday_sets'][] =
    [
      ['account_id', row.account_id, Account],
      ['company_id', row.company_id, Company],
      ['customer_project_owner', row.customer_project_owner?.contact_id, Contact],
      ['project_owner', row.project_owner?.user_id, 'users'],
      ['project_manager', row.project_manager?.user_id, 'users'],
      ['holidays_id', row.holidays_id, 'holiday_sets'],
    ]
  const columns = links.map(([name, id, to]) => {
    const table = typeof to === 'string' ? to : to.table
    const alive = all(mine(ctx), sql`t.deleted_at is null`)
    const seen = typeof to === 'string' ? alive : scope(ctx, to, 'read')
    return sql`(select t.id from ${sql.table(table)} t where ${seen} and t.id = ${id ?? null})
      as ${sql.ref(name)}`
  })
  const found = await ctx.one<Body>(sql`select ${sql.join(columns)}`)
  return Object.fromEntries(Object.entries(found!).filter(([, id]) => id !== null))
}

function livingTeam(ctx: Context, id: string) {
  return ctx.all(sql`select t.user_id, t.role from project_members t
    join users u on u.organization_id = t.organization_id and u.id = t.user_id
    where ${mine(ctx)} and t.project_id = ${id} and u.deleted_at is null
    order by t.creation_time, t.user_id`)
}

async function livingTemplate(ctx: Context, id: string | null): Promise<string | undefined> {
  const found = await ctx.one<{ id: string }>(sql`select t.id from templates t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null and t.template_type = 'project'`)
  return found?.id
}

/** Where a copy begins: not started, and a deal in the first stage of its pipeline. */
async function freshPlace(ctx: Context, source: Body) {
  const status = await statusFor(ctx, 'projects', 'not_started')
  const set: Body = {
    object_source: ctx.source,
    status_id: status.id,
    template_id: source.template_id,
  }
  const pipelines = source.pipeline_id ? await pipelinesOf(ctx) : []
  const first = pipelines.find(({ pipeline_id }) => pipeline_id === source.pipeline_id)?.stages[0]
  if (!first) return { set, stage_id: undefined }
  return { set: { ...set, ...(await entering(ctx, first, {})) }, stage_id: first.stage_id }
}
