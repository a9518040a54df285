import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { byId } from '../../../kit/crud.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock } from '../../../kit/write/write.ts'
import { recordOfType } from '../../../model/projects/project.ts'
import type { TemplateConfig } from '../../../model/templates/config.ts'
import { Template } from '../../../model/templates/template.ts'
import { dated } from '../../templates/dated.ts'
import { refIn } from '../../templates/layout.ts'
import { planOfVersion } from '../../templates/versions.ts'
import { typeOfId } from '../move.ts'
import { storedPlan } from './stored.ts'

/** Baselines of one project at most. */
const most = 50

/** The baseline that is what the template of the project says. */
const ofTemplate = 'template'

const time = Type.String({ format: 'date-time' })

export const baselineSchema = Type.Object(
  {
    baseline_id: Type.String({ description: `an id, or \`${ofTemplate}\`` }),
    name: Type.String(),
    creation_time: { ...orNull(time), description: 'null of what the template says' },
  },
  { title: 'PlanBaseline', additionalProperties: false },
)

/** Keeps the dates of a plan as they are now. */
export const setBaseline = operation({
  name: 'create_plan_baseline',
  summary: 'Keep the dates of a plan as a baseline',
  description: `The plan is compared to it by \`?baseline=\`. A project has ${most} at most.`,
  can: { module: 'projects', action: 'update', or: 'deals' },
  writes: true,
  input: {
    params: byId,
    body: Type.Object(
      { name: Type.String({ pattern: '\\S', maxLength: 100 }) },
      { additionalProperties: false },
    ),
  },
  output: baselineSchema,
  async run(ctx, { params: { id }, body }) {
    const project = await lockedProject(ctx, id)
    const name = body.name.trim()
    const count = await ctx.one<{ n: number }>(sql`select count(*)::int as n from plan_baselines t
      where ${mine(ctx)} and t.project_id = ${id}`)
    if ((count?.n ?? 0) >= most) {
      throw conflict(`A project has ${most} baselines at most: delete one first`, 'too_many')
    }
    // whoever looks at it later may read other tasks
    const { tasks, milestones } = await storedPlan(ctx, id, 'whole')
    const dates = [...tasks, ...milestones].flatMap((row) =>
      row.start_date || row.due_date
        ? { id: row.id, start_date: row.start_date, due_date: row.due_date }
        : [],
    )
    const baseline_id = newId()
    const creation_time = ctx.now().toISOString()
    await ctx.run(sql`
      insert into plan_baselines
        (organization_id, id, project_id, name, dates, created_by, creation_time)
      values (${ctx.organization.id}, ${baseline_id}, ${id}, ${name}, ${JSON.stringify(dates)}::jsonb,
        ${ctx.actor.user_id}, ${creation_time})`)
    await announce(ctx, project.record, 'baseline_set', {
      ...project.about,
      title: `Baseline ${name} set`,
      action: 'updated',
      changes: [{ field: 'baseline', from: null, to: name }],
    })
    return { baseline_id, name, creation_time }
  },
})

/** Removes a baseline, for good. */
export const removeBaseline = operation({
  name: 'delete_plan_baseline',
  summary: 'Delete a baseline of a plan',
  can: { module: 'projects', action: 'update', or: 'deals' },
  writes: true,
  input: {
    params: Type.Object({
      id: Type.String({ description: 'the project' }),
      baseline_id: Type.String({ description: 'the baseline' }),
    }),
  },
  output: null,
  async run(ctx, { params: { id, baseline_id } }) {
    const project = await lockedProject(ctx, id)
    const gone = await ctx.one<{ name: string }>(sql`delete from plan_baselines t
      where ${mine(ctx)} and t.project_id = ${id} and t.id = ${baseline_id} returning t.name`)
    if (!gone) throw notFound('Baseline')
    await announce(ctx, project.record, 'baseline_deleted', {
      ...project.about,
      title: `Baseline ${gone.name} deleted`,
      action: 'updated',
      changes: [{ field: 'baseline', from: gone.name, to: null }],
    })
  },
})

/** A project that the caller may change, locked; customers and partners do not know of baselines. */
async function lockedProject(ctx: Context, id: string) {
  if (ctx.actor.is_external) throw forbidden('Customers and partners have no baselines')
  const record = recordOfType(await typeOfId(ctx, id))
  const { row } = await lock(ctx, record, id, 'update')
  const { project_name: name } = row as { project_name: string }
  return { record, about: { id, name, project_id: id } }
}

type Dates = { start: string | null; due: string | null }

/** What a plan can be compared to: what its template says, and what was kept of it. None for customers and partners. */
export async function baselinesOf(ctx: Context, id: string) {
  if (ctx.actor.is_external) return []
  const template = await templateOf(ctx, id)
  const kept = await ctx.all<{ baseline_id: string; name: string; creation_time: string }>(sql`
    select t.id as baseline_id, t.name, t.creation_time from plan_baselines t
    where ${mine(ctx)} and t.project_id = ${id} order by t.id desc limit ${most}`)
  const first = template
    ? [{ baseline_id: ofTemplate, name: template.title, creation_time: null }]
    : []
  return [...first, ...kept.map((each) => ({ ...each, creation_time: asTime(each.creation_time) }))]
}

function asTime(value: string | Date): string {
  return new Date(value).toISOString()
}

/** The dates of a baseline, by the id of the task or milestone; 400 for one that the plan does not have. */
export async function baselineDates(
  ctx: Context,
  id: string,
  baseline: string | undefined,
): Promise<ReadonlyMap<string, Dates>> {
  if (baseline === undefined) return new Map()
  const unknown = badField('baseline', 'no such baseline of this plan')
  if (ctx.actor.is_external) throw unknown
  if (baseline === ofTemplate) {
    const found = await datesByTemplate(ctx, id)
    if (!found) throw unknown
    return found
  }
  type Row = { id: string; start_date: string | null; due_date: string | null }
  const kept = await ctx.one<{ dates: Row[] }>(sql`select t.dates from plan_baselines t
    where ${mine(ctx)} and t.project_id = ${id} and t.id = ${baseline}`)
  if (!kept) throw unknown
  return new Map(
    kept.dates.map((row) => [row.id, { start: row.start_date, due: row.due_date }] as const),
  )
}

type Found = {
  id: string
  template_name: string
  template_version: number
  config: TemplateConfig | null
  title: string
  start_date: string | null
  due_date: string | null
  holidays_id: string | null
}

/** The template of a project in the version from which it was made, if the caller may read it. */
async function templateOf(ctx: Context, project: string): Promise<Found | undefined> {
  const found = await ctx.one<Omit<Found, 'title'>>(sql`
    select t.id, t.template_name, p.template_version, p.start_date::text, p.due_date::text,
      p.holidays_id, case when t.published_version = p.template_version then t.template_config end as config
    from templates t
    join projects p on p.organization_id = $organization and p.template_id = t.id
    where ${scope(ctx, Template, 'read')} and p.id = ${project} and p.template_version is not null`)
  return found && { ...found, title: `${found.template_name} ${found.template_version}` }
}

async function datesByTemplate(ctx: Context, project: string) {
  const template = await templateOf(ctx, project)
  if (!template) return undefined
  const { id, template_version, start_date, due_date, holidays_id } = template
  const config =
    template.config ?? (await planOfVersion(ctx, id, template_version))?.template_config
  if (!config) return undefined
  const target = {
    id: project,
    project_owner: null,
    project_manager: null,
    start_date,
    due_date,
    holidays_id,
  }
  const plan = await dated(ctx, target, { id, config, roles: [] })
  const byRef = new Map<string | null, Dates>()
  for (const row of plan.milestones.flatMap((each) => [each, ...each.dated])) {
    byRef.set(refIn(plan, row.ref), { start: row.start_date, due: row.due_date })
  }
  const rows = await ctx.all<{ id: string; template_ref: string }>(sql`
    select t.id, t.template_ref from tasks t
    where ${mine(ctx)} and t.project_id = ${project} and t.template_ref is not null
    union all
    select t.id, t.template_ref from milestones t
    where ${mine(ctx)} and t.project_id = ${project} and t.template_ref is not null`)
  return new Map(
    rows.flatMap((row) => {
      const dates = byRef.get(row.template_ref)
      return dates ? [[row.id, dates] as const] : []
    }),
  )
}
