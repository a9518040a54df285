import { inPlace } from '../../kit/record/rank.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { turns } from '../../kit/ground/turns.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import type {
  TemplateConfig,
  TemplateMilestone,
  TemplateStage,
} from '../../model/templates/config.ts'
import { configSchema, milestoneSchema } from '../../model/templates/config.ts'
import { Template } from '../../model/templates/template.ts'
import { learned } from './learned.ts'
import { pastProjects } from './past.ts'
import { fromModel, orderedByModel } from './suggest-model.ts'

const prompt = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '\\S',
    description: 'what the project is about',
  }),
)

const basis = {
  based_on: Type.Array(Type.String(), { description: 'the names of what it is based on' }),
  source: enumeration(['history', 'model'], {
    title: 'SuggestionSource',
    description: 'past work alone, or the configured language model, too',
  }),
  past_projects: Type.Integer({ description: 'projects with finished tasks that were counted' }),
  model_failed: Type.Boolean({ description: 'whether a configured model had no good answer' }),
}

/** Suggests a template from a description and the organization's earlier plans. */
export const suggestTemplate = operation({
  name: 'suggest_template',
  summary: 'Suggest a template',
  description:
    'From a description and past work; without a description, from the projects of the template that was used most.',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: { query: Type.Object({ prompt }) },
  output: Type.Object(
    {
      template_name: Type.String(),
      description: Type.String(),
      template_config: configSchema,
      ...basis,
    },
    { title: 'TemplateSuggestion' },
  ),
  async run(ctx, { query }) {
    const plans = await fittingPlans(ctx, wordsOf(query.prompt ?? ''))
    const past = await nearest(ctx, plans)
    const best = plans[0]
    const known = best?.plan.length ? best.plan : usual
    const shared = {
      template_name: titleOf(query.prompt),
      description: query.prompt?.trim() ?? 'A plan from what has worked before',
      based_on: namesOf(plans),
      past_projects: past.length,
    }
    if (past.length) {
      const stages = learned(known, past)
      const { order, failed } = await orderedByModel(ctx, query.prompt, stages)
      return {
        ...shared,
        ...(order?.name ? { template_name: order.name } : {}),
        template_config: { stages: order?.stages ?? stages },
        source: order ? 'model' : 'history',
        model_failed: failed,
      }
    }
    const { stages: suggested, failed } = await fromModel(ctx, 'stages', query.prompt, plans)
    return {
      ...shared,
      template_config: { stages: suggested ?? known },
      source: suggested ? 'model' : 'history',
      model_failed: failed,
    }
  },
})

/** Suggests milestones in the same way: those of similar plans that match the words best. */
export const suggestMilestone = operation({
  name: 'suggest_milestone',
  summary: 'Suggest milestones',
  description: 'From a description and past work.',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: { query: Type.Object({ prompt }) },
  output: Type.Object(
    { milestones: Type.Array(milestoneSchema), ...basis },
    { title: 'MilestoneSuggestion' },
  ),
  async run(ctx, { query }) {
    const words = wordsOf(query.prompt ?? '')
    const plans = await fittingPlans(ctx, words)
    const past = await nearest(ctx, plans)
    const shared = { based_on: namesOf(plans), past_projects: past.length }
    // what projects really took says more than a model
    const { stages: suggested, failed: model_failed } = past.length
      ? { stages: undefined, failed: false }
      : await fromModel(ctx, 'milestones', query.prompt, plans)
    if (suggested) return { ...shared, milestones: suggested, source: 'model', model_failed }
    const taught = past.length ? learned(plans[0]?.plan ?? [], past) : []
    const all = [...taught, ...plans.flatMap(({ plan }) => plan), ...usual]
    const milestones = all.flatMap((stage): TemplateMilestone[] =>
      stage.milestones?.length ? stage.milestones : [stage],
    )
    const worked = turns()
    const fitting: { milestone: TemplateMilestone; score: number }[] = []
    for (const milestone of milestones.slice(0, mostMilestones)) {
      const text = textOf(milestone).slice(0, mostOfMilestone)
      await worked(weight * text.length)
      fitting.push({ milestone, score: overlap(text, words) })
    }
    fitting.sort((a, b) => b.score - a.score)
    const seen = new Set<string>()
    const best = fitting
      .filter(({ milestone: { name } }) => !seen.has(fold(name)) && seen.add(fold(name)))
      .slice(0, 5)
    return {
      ...shared,
      milestones: best.map(({ milestone }) => milestone),
      source: 'history',
      model_failed,
    }
  },
})

/** The names of the best-matching plans. */
function namesOf(plans: Plan[]): string[] {
  return plans.slice(0, 3).map(({ name }) => name)
}

/** How many past projects are counted. */
const mostPast = 7

/** The past projects with finished tasks that are nearest to the best plan: those made from it, then those like it. */
async function nearest(ctx: Context, plans: Plan[]) {
  const [best] = plans
  const ids = plans.flatMap(({ project_id }) => project_id ?? []).slice(0, 50)
  const template = best?.template_id ?? null
  return pastProjects(
    ctx,
    sql`select t.id, t.template_id, t.template_version, t.holidays_id from projects t
      where ${scope(ctx, ProjectOrDeal, 'read')} and t.project_type = 'project'
        and (t.id = any(${ids}::varchar[]) or t.template_id = ${template})
        and ${hasFinished(ctx)}
      order by (t.template_id is not distinct from ${template}) desc,
        array_position(${ids}::varchar[], t.id), t.id desc
      limit ${mostPast}`,
  )
}

function hasFinished(ctx: Context) {
  return sql`exists (select from tasks k where ${mine(ctx, 'k')} and k.project_id = t.id
    and k.is_completed and k.deleted_at is null)`
}

type Plan = {
  name: string
  text: string
  plan: TemplateStage[]
  project_id?: string
  /** the template that it is, or of which the project was made */
  template_id?: string | null
}

/** The plans that match the words of a description, the best first; without words, those of the template with the most past projects. */
async function fittingPlans(ctx: Context, words: Set<string>): Promise<Plan[]> {
  const plans = await plansOf(ctx)
  const used = words.size ? [] : await mostUsed(ctx, plans)
  return used.length ? used : ranked(plans, words)
}

/**
 * The template of which most projects with finished tasks are, and these; where most have no template, these, the newest
 * first. None before anything is finished.
 */
async function mostUsed(ctx: Context, plans: Plan[]): Promise<Plan[]> {
  const groups = await ctx.all<{ template_id: string | null; newest: string }>(sql`
    select t.template_id, max(t.id) as newest from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.project_type = 'project' and ${hasFinished(ctx)}
    group by t.template_id order by count(*) desc, max(t.id) desc limit 1`)
  return groups.flatMap(({ template_id, newest }) =>
    plans
      .filter((plan) => plan.template_id === template_id)
      .toSorted((a, b) => Number(b.project_id === newest) - Number(a.project_id === newest))
      .toSorted((a, b) => Number(!b.project_id) - Number(!a.project_id)),
  )
}

/** The newest plans that the caller may see: templates, and actual projects. */
async function plansOf(ctx: Context): Promise<Plan[]> {
  const [templates, projects] = await Promise.all([
    ctx.all<{ id: string; name: string; text: string; config: TemplateConfig }>(sql`
      select t.id, t.template_name as name, coalesce(t.description, '') as text,
        t.template_config as config
      from templates t where ${scope(ctx, Template, 'read')} and t.template_type = 'project'
      order by t.id desc limit 100`),
    ctx.all<Required<Plan>>(sql`
      select p.id as project_id, p.template_id, p.project_name as name, coalesce(p.description, '') as text,
        coalesce((select json_agg(json_build_object('name', m.name, 'tasks',
            (select coalesce(json_agg(json_build_object('title', k.title) order by ${sql.raw(inPlace('k'))}, k.id),
              '[]') from ${readableRows(ctx, 'tasks')} k where k.organization_id = $organization
              and k.milestone_id = m.id and k.deleted_at is null and not k.is_private))
            order by ${sql.raw(inPlace('m'))}, m.id)
          from ${readableRows(ctx, 'milestones')} m where m.organization_id = $organization and m.project_id = p.id
            and m.deleted_at is null and not m.is_private), '[]') as plan
      from (select t.* from projects t where ${scope(ctx, ProjectOrDeal, 'read')}
        order by t.id desc limit 50) p`),
  ])
  return [
    ...templates.map(({ id, name, text, config }): Plan => ({
      name,
      text,
      plan: config.stages ?? [],
      template_id: id,
    })),
    ...projects,
  ].filter(({ plan }) => plan.length)
}

/** Characters of a plan's description, and of its stages, that are compared with the words of a prompt. */
const mostCompared = 4000
/** The maximum number of milestones of the best-matching plans, and of characters of each. */
const mostMilestones = 2000
const mostOfMilestone = 400
/** How much more time folding a character and finding its word takes than other work that yields. */
const weight = 10

async function ranked(plans: Plan[], words: Set<string>): Promise<Plan[]> {
  const worked = turns()
  const scored = []
  for (const [i, plan] of plans.entries()) {
    const text = plan.text.slice(0, mostCompared)
    await worked(weight * (text.length + mostCompared))
    let score = 3 * overlap(plan.name, words) + overlap(text, words)
    let left = mostCompared
    for (const stage of plan.plan) {
      if (left <= 0) break
      const inner = textOf(stage).slice(0, left)
      left -= inner.length
      score += overlap(inner, words) / 2
    }
    scored.push({ plan, i, score })
  }
  return scored
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .filter(({ score }, i) => score > 0 || i === 0)
    .map(({ plan }) => plan)
}

function textOf({ name, tasks = [], ...stage }: TemplateStage): string {
  const inner = (stage.milestones ?? []).map(textOf).join(' ')
  return [name, ...tasks.map(({ title }) => title), inner].join(' ')
}

function overlap(text: string, words: Set<string>): number {
  let found = 0
  for (const word of wordsOf(text)) if (words.has(word)) found++
  return found
}

function wordsOf(text: string): Set<string> {
  const words = fold(text).match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.map((word) => word.replace(/(ing|ed|es|s)$/, '')))
}

function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase()
}

function titleOf(prompt: string | undefined): string {
  const words = (prompt ?? '').trim().split(/\s+/).slice(0, 8).join(' ')
  return words ? words.charAt(0).toUpperCase() + words.slice(1, 120) : 'Onboarding'
}

/** The suggestion if nothing matches: the usual steps of an onboarding. */
const usual: TemplateStage[] = [
  {
    name: 'Kick-off',
    start_offset_days: 0,
    duration_days: 5,
    tasks: [{ title: 'Agree on goals' }, { title: 'Name the contacts on both sides' }],
  },
  {
    name: 'Set-up',
    start_offset_days: 5,
    duration_days: 10,
    tasks: [{ title: 'Configure the workspace' }, { title: 'Import the data' }],
  },
  {
    name: 'Training',
    start_offset_days: 15,
    duration_days: 5,
    tasks: [{ title: 'Train the administrators' }, { title: 'Train the users' }],
  },
  {
    name: 'Go-live',
    start_offset_days: 20,
    duration_days: 5,
    tasks: [{ title: 'Go live' }, { title: 'Hand over to support' }],
  },
]
