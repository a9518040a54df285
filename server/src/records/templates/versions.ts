import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import type { LockedRecord } from '../../kit/write/write.ts'
import { update } from '../../kit/write/write.ts'
import type { TemplateConfig, TemplateRole } from '../../model/templates/config.ts'
import { Template } from '../../model/templates/template.ts'
import { planOf } from './plan.ts'

/** What a version of a template consists of. */
export type TemplatePlan = { template_config: TemplateConfig; roles: TemplateRole[] }

type Stored = Pick<Row<typeof Template>, 'template_config' | 'roles' | 'published_version'> & {
  draft_version: number | null
}

/** The number under which the draft is stored among the versions. */
const draft = 0

/** Whether a plan is another one than before. */
export function isOtherPlan(
  before: TemplatePlan,
  { template_config, roles }: TemplatePlan,
): boolean {
  return (
    !isDeepStrictEqual(template_config, before.template_config) ||
    !isDeepStrictEqual(asJson(roles), before.roles)
  )
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/**
 * Keeps the current version of a locked template before it is replaced, and returns the columns of the next one. The
 * version that is current is stored only once it is named or replaced.
 */
export async function nextVersion(ctx: Context, id: string, row: Stored) {
  await keepCurrent(ctx, id)
  return { published_version: row.published_version + 1 }
}

async function keepCurrent(ctx: Context, id: string) {
  await ctx.run(sql`
    insert into template_versions
      (organization_id, template_id, number, template_config, roles, created_by, creation_time)
    select t.organization_id, t.id, t.published_version, t.template_config, t.roles,
      t.created_by, t.creation_time
    from templates t where ${mine(ctx)} and t.id = ${id} on conflict do nothing`)
}

/** Stores a version of a locked template, as its plan is now. */
export async function storeCurrent(ctx: Context, id: string, note: string | null) {
  await ctx.run(sql`
    insert into template_versions
      (organization_id, template_id, number, note, template_config, roles, created_by, creation_time)
    select t.organization_id, t.id, t.published_version, ${note}, t.template_config, t.roles,
      ${ctx.actor.user_id}, ${ctx.now().toISOString()}
    from templates t where ${mine(ctx)} and t.id = ${id}
    on conflict (organization_id, template_id, number) do update set note = excluded.note`)
}

/** Stores the draft of a locked template. */
export async function storeDraft(
  ctx: Context,
  locked: LockedRecord<typeof Template>,
  { template_config, roles }: TemplatePlan,
) {
  await ctx.run(sql`
    insert into template_versions
      (organization_id, template_id, number, template_config, roles, created_by, creation_time)
    select t.organization_id, t.id, ${draft}, ${JSON.stringify(template_config)}::jsonb,
      ${JSON.stringify(roles)}::jsonb, ${ctx.actor.user_id}, ${ctx.now().toISOString()}
    from templates t where ${mine(ctx)} and t.id = ${locked.id}
    on conflict (organization_id, template_id, number) do update
      set template_config = excluded.template_config, roles = excluded.roles,
        created_by = excluded.created_by, creation_time = excluded.creation_time`)
  const set = { draft_version: (locked.row.draft_version ?? 0) + 1 }
  return update(ctx, locked, {}, { set })
}

/** The draft of a template; undefined without one. */
export function draftOf(ctx: Context, id: string) {
  return planOfVersion(ctx, id, draft)
}

/** The plan of a version that was kept; undefined for one that was not, or is the current one. */
export function planOfVersion(ctx: Context, id: string, number: number) {
  return ctx.one<TemplatePlan>(sql`
    select t.template_config, t.roles from template_versions t
    where ${mine(ctx)} and t.template_id = ${id} and t.number = ${number}`)
}

/** Removes the draft of a locked template. */
export async function dropDraft(ctx: Context, id: string) {
  await ctx.run(sql`delete from template_versions t
    where ${mine(ctx)} and t.template_id = ${id} and t.number = ${draft}`)
}

/**
 * Makes the draft of a locked template its next version. Without a draft the note is that of the current version, if
 * it has none yet; else 409.
 */
export async function publishDraft(
  ctx: Context,
  locked: LockedRecord<typeof Template>,
  note: string,
) {
  const { id, row } = locked
  const plan = await draftOf(ctx, id)
  if (!plan) {
    const noted = await ctx.one(sql`select t.number from template_versions t where ${mine(ctx)}
      and t.template_id = ${id} and t.number = ${row.published_version} and t.note is not null`)
    if (noted) throw conflict('There is no draft to publish', 'nothing_to_publish')
    await storeCurrent(ctx, id, note)
    return update(ctx, locked, {})
  }
  const set = { ...(await nextVersion(ctx, id, row)), draft_version: null }
  await dropDraft(ctx, id)
  const after = await update(ctx, locked, plan, { set })
  await storeCurrent(ctx, id, note)
  return after
}

/** The versions of a template that the caller may read, the newest first; 404 for another. */
export async function versionsOf(ctx: Context, id: string) {
  const found = await ctx.one<{ published_version: number; template_config: TemplateConfig }>(sql`
    select t.published_version, t.template_config from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Template')
  const kept = await ctx.all<Kept>(sql`
    select t.number, t.note, t.template_config, t.creation_time,
      case when u.id is not null
        then json_build_object('user_id', u.id, 'full_name', u.full_name) end as created_by
    from template_versions t
    left join users u on u.organization_id = $organization and u.id = t.created_by
    where ${mine(ctx)} and t.template_id = ${id} and t.number > ${draft}
    order by t.number desc limit 500`)
  const { published_version: number, template_config } = found
  const current = { number, note: null, template_config, creation_time: null, created_by: null }
  const all = kept[0]?.number === number ? kept : [current, ...kept]
  return all.map(({ template_config: config, ...version }) => {
    const plan = planOf(config)
    return {
      ...version,
      is_current: version.number === number,
      milestones: plan.length,
      tasks: plan.reduce((sum, { tasks }) => sum + tasks.length, 0),
      working_days: Math.max(0, ...plan.map(({ end }) => end)),
    }
  })
}

type Kept = {
  number: number
  note: string | null
  template_config: TemplateConfig
  creation_time: string | null
  created_by: { user_id: string; full_name: string } | null
}
