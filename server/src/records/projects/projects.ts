import type { Context } from '../../kit/context.ts'
import { crud, pageQuery } from '../../kit/crud.ts'
import { badField, conflict, forbidden, notFound } from '../../kit/errors.ts'
import { listPage } from '../../kit/list.ts'
import type { Can, Input, Operation } from '../../kit/operation.ts'
import { Answer } from '../../kit/operation.ts'
import type { JSONSchema } from '../../kit/schema.ts'
import { arrayOf, createSchema, readSchema, updateSchema } from '../../kit/schema.ts'
import { levelOf, scope } from '../../kit/scope.ts'
import { mine, sql } from '../../kit/sql.ts'
import { insert, lock, readOne, remove, restore, update } from '../../kit/write.ts'
import { modules } from '../../kit/modules.ts'
import { statusFor, statusNamed } from '../statuses/status.ts'
import { layOut } from '../templates/layout.ts'
import { copyPlan } from './copy.ts'
import type { Body } from './given.ts'
import { accountFor, accountSchema, extraProperties, flat, templateFor, typeOf } from './given.ts'
import { entering, rememberStage, tellMove, typeOfId } from './move.ts'
import { pipelinesOf, placeOf } from './pipeline.ts'
import { Deal, ProjectOrDeal, recordOfType, ShownProject } from './project.ts'
import { setTeam } from './team.ts'

const may = (action: 'create' | 'read' | 'update' | 'delete'): Can => ({
  module: 'projects',
  action,
  or: 'deals',
})

const plain = crud(ShownProject)
const shape = readSchema(ShownProject)
const { aliases } = ProjectOrDeal
const byId = plain.read.input.params!

const kinds: { [name: string]: JSONSchema } = {
  project_type: { type: 'string', maxLength: 20, description: 'project or deal; both when absent' },
  module: { type: 'string', maxLength: 20, description: 'projects or deal_plan: the same' },
}

export const projects = {
  list: {
    ...plain.list,
    can: may('read'),
    input: { query: withProperties(pageQuery(true), kinds) },
    run(ctx: Context, { query }: Input) {
      const type = typeOf(query)
      return listPage(ctx, ShownProject, query, type && sql`t.project_type = ${type}`)
    },
  } satisfies Operation,
  read: { ...plain.read, can: may('read') } satisfies Operation,
  create: {
    ...plain.create,
    summary: 'Create a project or deal, with its account, customer and template in one call',
    can: may('create'),
    aliases,
    input: { body: bodySchema(createSchema(ProjectOrDeal), true) },
    run: async (ctx: Context, { body }: Input) => shown(ctx, await createProject(ctx, body)),
  } satisfies Operation,
  update: {
    ...plain.update,
    can: may('update'),
    aliases,
    input: { params: byId, body: bodySchema(updateSchema(ProjectOrDeal)) },
    run: async (ctx: Context, { params, body }: Input) =>
      shown(ctx, await updateProject(ctx, params.id, body)),
  } satisfies Operation,
  remove: {
    ...plain.remove,
    can: may('delete'),
    run: async (ctx: Context, { params }: Input) =>
      remove(ctx, recordOfType(await typeOfId(ctx, params.id)), params.id),
  } satisfies Operation,
  restore: {
    ...plain.restore,
    can: may('delete'),
    async run(ctx: Context, { params }: Input) {
      const found = await ctx.one<{ project_type: string }>(sql`
        select project_type from projects t where ${mine(ctx)} and t.id = ${params.id}`)
      return shown(ctx, await restore(ctx, recordOfType(found?.project_type ?? ''), params.id))
    },
  } satisfies Operation,
  duplicate: {
    name: 'duplicate_project',
    summary: 'Copy a project or deal with its milestones and tasks',
    can: may('create'),
    writes: true,
    input: {
      params: byId,
      body: {
        type: 'object',
        properties: {
          project_name: { type: 'string', pattern: '\\S', maxLength: 255 },
          start_date: { type: ['string', 'null'], format: 'date', description: 'moves every date' },
        },
      },
    },
    aliases,
    output: shape,
    async run(ctx: Context, { params, body }: Input) {
      const record = recordOfType(await typeOfId(ctx, params.id))
      mayCreate(ctx, record.module)
      const { body: read } = await readOne(ctx, record, params.id)
      const source = JSON.parse((read as { text: string }).text) as Body
      const made = await insert(ctx, record, copyOf(source, body), {
        set: await freshPlace(ctx, source),
        along: (id) => copyPlan(ctx, params.id, id, source.start_date, body.start_date),
      })
      if (source.stage_id) {
        await rememberStage(ctx, made.id, { stage_id: source.stage_id, lost_reason: null })
      }
      return shown(ctx, made)
    },
  } satisfies Operation,
  convert: {
    name: 'convert_deal',
    summary: 'Make the onboarding project of a won deal, once',
    can: { module: 'projects', action: 'create' },
    writes: true,
    input: {
      params: byId,
      body: {
        type: 'object',
        properties: {
          template_id: { type: ['string', 'null'], maxLength: 255 },
          project_name: { type: 'string', pattern: '\\S', maxLength: 255 },
          start_date: { type: ['string', 'null'], format: 'date' },
          due_date: { type: ['string', 'null'], format: 'date' },
        },
      },
    },
    aliases,
    output: shape,
    async run(ctx: Context, { params, body }: Input) {
      const { row } = await lock(ctx, Deal, params.id, 'update')
      const stage = row.current_pipe_stage as { category?: string } | null
      if (stage?.category !== 'won') {
        throw conflict(
          `Only a won deal becomes a project; this one is ${stage?.category ?? 'open'}`,
        )
      }
      const before = await ctx.one<{ id: string }>(sql`select t.id from projects t
        where ${mine(ctx)} and t.converted_from = ${params.id} and t.deleted_at is null limit 1`)
      if (before) {
        throw conflict('This deal has its project already', 'duplicate', { project_id: before.id })
      }
      const given = {
        ...pickLinks(row),
        project_name: body.project_name ?? row.project_name,
        project_type: 'project',
        revenue: row.revenue ?? row.expected_deal_value,
        start_date: body.start_date,
        due_date: body.due_date,
        template_id: body.template_id ?? row.template_id ?? undefined,
      }
      return shown(ctx, await createProject(ctx, given, { converted_from: params.id }))
    },
  } satisfies Operation,
  stageHistory: {
    name: 'list_stage_history',
    summary: 'Where a deal has been, and for how long',
    can: may('read'),
    writes: false,
    input: { params: byId },
    output: arrayOf({
      type: 'object',
      properties: {
        stage_id: { type: 'string' },
        stage_name: { type: 'string' },
        category: { type: 'string' },
        lost_reason: { type: ['string', 'null'] },
        changed_by: { type: ['string', 'null'] },
        entered_at: { type: 'string', format: 'date-time' },
        left_at: { type: ['string', 'null'], format: 'date-time' },
        duration: { type: 'integer', description: 'seconds, until now for the last one' },
      },
      required: ['stage_id', 'stage_name', 'category', 'entered_at', 'left_at', 'duration'],
    }),
    async run(ctx: Context, { params }: Input) {
      await readOne(ctx, ProjectOrDeal, params.id)
      return ctx.all(sql`
        select c.stage_id, s.stage_name, s.category, c.lost_reason, c.changed_by, c.entered_at,
          c.left_at, extract(epoch from coalesce(c.left_at, ${ctx.now().toISOString()}::timestamptz)
            - c.entered_at)::integer as duration
        from stage_changes c
        join stages s on s.organization_id = c.organization_id and s.id = c.stage_id
        where ${mine(ctx, 'c')} and c.project_id = ${params.id} order by c.id`)
    },
  } satisfies Operation,
  forecast: {
    name: 'read_forecast',
    summary: 'What open deals promise, by month, weighted by the probability of their stage',
    can: { module: 'deals', action: 'read' },
    writes: false,
    input: {
      query: { type: 'object', properties: { pipeline_id: { type: 'string', maxLength: 25 } } },
    },
    output: arrayOf({
      type: 'object',
      properties: {
        month: { type: ['string', 'null'], description: 'YYYY-MM; null without a date' },
        deals: { type: 'integer' },
        value: { type: 'number' },
        weighted: { type: 'number' },
      },
      required: ['month', 'deals', 'value', 'weighted'],
    }),
    async run(ctx: Context, { query }: Input) {
      const { pipeline_id } = query
      const known = await pipelinesOf(ctx)
      if (pipeline_id && !known.some((each) => each.pipeline_id === pipeline_id)) {
        throw notFound('Pipeline')
      }
      return ctx.all(sql`
        select to_char(coalesce(t.forecasted_date, t.due_date), 'YYYY-MM') as month,
          count(*)::int as deals,
          coalesce(sum(coalesce(t.expected_deal_value, t.revenue)), 0)::float8 as value,
          coalesce(sum(coalesce(t.expected_deal_value, t.revenue) * s.probability / 100.0), 0)::float8
            as weighted
        from projects t
        join stages s on s.organization_id = t.organization_id and s.id = t.stage_id
        where ${scope(ctx, Deal, 'read')} and s.category = 'open'
          ${pipeline_id ? sql`and t.pipeline_id = ${pipeline_id}` : sql``}
        group by 1 order by 1`)
    },
  } satisfies Operation,
}

/** Makes a project or deal with everything that its body says; both surfaces come here. */
export async function createProject(
  ctx: Context,
  given: Body,
  more: { [column: string]: unknown } = {},
) {
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
  const place = type === 'deal' || body.stage_id ? await placeOf(ctx, body) : undefined
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
  const fields = { ...body, project_type: type, ...(owner ? { project_owner: owner } : {}) }
  return insert(ctx, record, withoutExtras(fields), {
    set,
    async along(id) {
      if (body.project_team) await setTeam(ctx, id, body.project_team)
      if (place) {
        const lost_reason = (set.lost_reason as string | null) ?? null
        await rememberStage(ctx, id, { stage_id: place.stage.stage_id, lost_reason })
      }
      if (template) await layOutOn(ctx, id, template.config)
    },
  })
}

async function updateProject(ctx: Context, id: string, given: Body) {
  const body = flat(given)
  const type = await typeOfId(ctx, id)
  const record = recordOfType(type)
  const before = await lock(ctx, record, id, 'update')
  const { row } = before
  if ((typeOf(body) ?? type) !== type) throw badField('project_type', `is ${type} and stays so`)
  checkDates({ ...row, ...body })
  const set: { [column: string]: unknown } = {}
  const moved =
    body.stage_id || body.pipeline_id
      ? await placeOf(ctx, body, { pipeline_id: row.pipeline_id, stage_id: row.stage_id })
      : undefined
  const isMoved = moved && moved.stage.stage_id !== row.stage_id
  if (isMoved) Object.assign(set, await entering(ctx, moved.stage, body))
  else if (typeof body.lost_reason === 'string' && row.lost_reason) {
    set.lost_reason = body.lost_reason
  }
  const status = body.status ? await statusNamed(ctx, 'projects', body.status) : undefined
  const old = row.status as { id: string; category: string } | null
  const isOther = status && status.id !== old?.id
  if (isOther) {
    set.status_id = status.id
    const isDone = status.category === 'completed'
    set.completed_at = isDone ? ctx.now().toISOString() : null
  }
  if (body.project_team && (await setTeam(ctx, id, body.project_team))) {
    // the team is part of the record: its version rises with it
    set.visible_to_all = body.visible_to_all ?? row.visible_to_all
  }
  const owner = ownerOf(ctx, body.project_owner)
  const fields = { ...body, ...(owner ? { project_owner: owner } : {}) }
  const after = await update(ctx, record, id, withoutExtras(fields), set)
  const now = { ...after, name: String(body.project_name ?? row.project_name) }
  if (isMoved) {
    await rememberStage(ctx, id, {
      stage_id: moved.stage.stage_id,
      lost_reason: (set.lost_reason as string | null) ?? null,
    })
    if (type === 'deal') await tellMove(ctx, now, row.stage_id, moved.stage)
  }
  if (isOther && type === 'project') {
    const types = ['project_status_changed']
    if (status.category === 'completed') types.push('project_completed')
    for (const each of types) {
      ctx.emit({
        type: each,
        title: each === 'project_completed' ? 'Project completed' : 'Project status changed',
        module_id: modules.projects,
        reference_id: id,
        project_id: id,
        changes: [{ field: 'status', from: old, to: status }],
        data: await after.json(),
        version: after.version,
        raw_description: { action: 'updated', module: 'projects', name: now.name },
      })
    }
  }
  return after
}

/** The record as the application surface shows it, after a write. */
function shown(ctx: Context, { id, version }: { id: string; version: number }): Answer {
  return new Answer(async () => (await readOne(ctx, ShownProject, id)).body, { id, version })
}

function mayCreate(ctx: Context, module: string) {
  if (levelOf(ctx.actor, module, 'create') === 'none') {
    throw forbidden(`Your role may not create ${module}`)
  }
}

async function layOutOn(ctx: Context, id: string, config: Parameters<typeof layOut>[2]) {
  const project = await ctx.one<Parameters<typeof layOut>[1]>(sql`
    select t.id, t.project_owner, t.project_manager, t.account_id, t.start_date::text,
      t.due_date::text, t.holidays_id
    from projects t where ${mine(ctx)} and t.id = ${id}`)
  await layOut(ctx, project!, config)
}

function checkDates({ start_date, due_date }: Body) {
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}

/** `{is_owner: true}` without a name means the caller; an object that names nobody is left out. */
function ownerOf(ctx: Context, given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return undefined
  const { user_id, id, email, profile_id, is_owner } = given as Body
  if (user_id ?? id ?? profile_id) return { user_id: user_id ?? id ?? profile_id }
  if (email) return { email }
  return is_owner && ctx.actor.user_id ? ctx.actor.user_id : undefined
}

async function accountOfCompany(ctx: Context, company: unknown): Promise<string | null> {
  const id = typeof company === 'string' ? company : (company as Body | null)?.company_id
  if (typeof id !== 'string') return null
  const found = await ctx.one<{ id: string }>(sql`select t.id from accounts t
    where ${mine(ctx)} and t.company_id = ${id} and t.deleted_at is null order by t.id limit 1`)
  return found?.id ?? null
}

const extras = ['account', 'module', 'project', 'project_template', 'org_temp_id', 'status']
const noColumns = ['project_team', 'pipeline_id', 'stage_id', 'lost_reason', 'template_id']

/** Without what is no field of the record: unknown keys would be kept as custom fields. */
function withoutExtras(body: Body): Body {
  const left = [...extras, ...noColumns]
  const kept = Object.entries(body).filter(
    ([name, value]) =>
      !left.includes(name) && !(name === 'project_owner' && isNobody(value)) && value !== undefined,
  )
  return Object.fromEntries(kept)
}

/** The form of the specification with nobody in it, such as `{is_owner: false, user_id: ''}`. */
function isNobody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const given = value as Body
  const isForm = 'is_owner' in given || 'first_name' in given
  return isForm && !['user_id', 'id', 'profile_id', 'email'].some((key) => given[key])
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
  'visible_to_all',
  'holidays_id',
]

function copyOf(source: Body, { project_name, start_date }: Body): Body {
  const shift = start_date && source.start_date ? days(source.start_date, start_date) : 0
  const copy: Body = Object.fromEntries(copied.map((name) => [name, source[name] ?? undefined]))
  const fields = {
    ...copy,
    ...pickLinks(source),
    project_name: project_name ?? `${source.project_name} (copy)`.slice(0, 255),
    start_date: start_date ?? source.start_date,
    due_date: source.due_date && moved(source.due_date, shift),
    custom_fields: source.custom_fields,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null))
}

function pickLinks(row: Body): Body {
  const links = {
    account_id: row.account_id,
    company_id: row.company_id,
    project_owner: row.project_owner?.user_id,
    project_manager: row.project_manager?.user_id,
    customer_project_owner: row.customer_project_owner?.contact_id,
  }
  return Object.fromEntries(Object.entries(links).filter(([, value]) => (value ?? null) !== null))
}

async function freshPlace(ctx: Context, source: Body) {
  const status = await statusFor(ctx, 'projects', 'not_started')
  const set: Body = {
    object_source: ctx.source,
    status_id: status.id,
    template_id: source.template_id,
  }
  if (!source.pipeline_id) return set
  const pipelines = await pipelinesOf(ctx)
  const pipeline = pipelines.find(({ pipeline_id }) => pipeline_id === source.pipeline_id)
  const first = pipeline?.stages[0]
  source.stage_id = first?.stage_id
  return first ? { ...set, ...(await entering(ctx, first, {})) } : set
}

function days(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

function moved(day: string, by: number): string {
  return new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10)
}

function bodySchema(schema: JSONSchema, isNew = false): JSONSchema {
  const properties = { ...(schema.properties as object), ...extraProperties }
  if (!isNew) return { ...schema, properties, required: [] }
  const nested = { type: 'object', properties }
  return {
    ...schema,
    properties: { ...properties, account: accountSchema, project: nested },
    required: [],
  }
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}
