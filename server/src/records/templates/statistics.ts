import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { foldedText } from '../../kit/ground/fold.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Project } from '../../model/projects/project.ts'
import type { TemplateConfig } from '../../model/templates/config.ts'
import { Template } from '../../model/templates/template.ts'
import type { PastProject } from './past.ts'
import { median, pastProjects, percentile85 } from './past.ts'
import { planOf } from './plan.ts'

const days = (description: string) => orNull(Type.Integer({ description }))

const shared = {
  n: Type.Integer({ description: 'the finished projects that it is counted in' }),
  planned: Type.Integer({ description: 'working days in the template' }),
  median: days('working days that it really took, the middle one of them; null of none'),
  p85: days('working days within which 85 % of them were done'),
}

const whole = {
  template_id: Type.String(),
  running: Type.Integer({ description: 'projects of it that are not finished' }),
  ...shared,
}

const of = Type.Integer({ description: 'of how many finished projects' })

/** What really came of a template, as far as the caller may read the projects made from it. */
export const statisticsSchema = Type.Object(
  {
    ...whole,
    lines: Type.Array(
      Type.Object(
        {
          ref: Type.String({ description: 'the id of the line, or else its name' }),
          kind: enumeration(['milestone', 'task'], { title: 'TemplateLineKind' }),
          title: Type.String(),
          ...shared,
          removed: Type.Integer({ description: 'projects from which it was deleted' }),
          of,
        },
        { title: 'TemplateLineStatistics', additionalProperties: false },
      ),
      { description: 'of each milestone and task of the template, in its order' },
    ),
    added: Type.Array(
      Type.Object(
        {
          title: Type.String(),
          milestone: Type.String({ description: 'where it was added most often' }),
          projects: Type.Integer({ description: 'to how many it was added by hand' }),
          of,
          median: days('working days that it really took'),
        },
        { title: 'AddedTask', additionalProperties: false },
      ),
      { description: 'tasks that the template lacks, and that half of the projects or more got' },
    ),
  },
  { title: 'TemplateStatistics', additionalProperties: false },
)

/** How many of the newest finished projects of a template are counted. */
const most = 50

/** How templates compare with what their projects really took. */
export const templateStatistics = operation({
  name: 'read_template_statistics',
  summary: 'Compare a template with its finished projects',
  description: `Of its ${most} newest finished projects, as far as the caller may read them.`,
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: { params: byId },
  output: statisticsSchema,
  async run(ctx, { params }) {
    const [template] = await templatesOf(ctx, params.id)
    if (!template) throw notFound('Template')
    const running = await runningOf(ctx, [template.id])
    const past = await finishedOf(ctx, [template.id], most)
    const had = await linesHad(ctx, template)
    return detailed(template, past, running.get(template.id) ?? 0, had)
  },
})

/** The same of all templates, without their lines. */
export const allStatistics = operation({
  name: 'list_template_statistics',
  summary: 'Compare templates with their finished projects',
  can: { module: 'templates', action: 'read' },
  writes: false,
  input: {},
  output: Type.Array(Type.Object(whole, { title: 'TemplateUsage', additionalProperties: false })),
  async run(ctx) {
    const templates = await templatesOf(ctx)
    const ids = templates.map(({ id }) => id)
    const running = await runningOf(ctx, ids)
    const past = Map.groupBy(await finishedOf(ctx, ids, 20), ({ template_id }) => template_id)
    return templates.map(({ id, config }) => ({
      template_id: id,
      running: running.get(id) ?? 0,
      ...summary(config, past.get(id) ?? []),
    }))
  },
})

/** What was planned and what it took, in working days, with the projects in which it was counted. */
export type AgainstPlan = {
  title: string
  planned: number
  projects: string[]
  median: number | null
  p85: number | null
}

/** Templates with finished projects and their milestones against these: of each the newest `each`. */
export async function againstPlan(
  ctx: Context,
  each: number,
): Promise<{ id: string; whole: AgainstPlan; milestones: (AgainstPlan & { ref: string })[] }[]> {
  const templates = await templatesOf(ctx)
  const ids = templates.map(({ id }) => id)
  const past = Map.groupBy(await finishedOf(ctx, ids, each), ({ template_id }) => template_id)
  const compared = (
    title: string,
    planned: number,
    took: { id: string; days: number | null }[],
  ) => {
    const known = took.flatMap(({ id, days: its }) => (its === null ? [] : [{ id, days: its }]))
    const all = known.map(({ days: its }) => its)
    const projects = known.map(({ id }) => id)
    return { title, planned, projects, median: median(all), p85: percentile85(all) }
  }
  return templates.flatMap(({ id, name, config }) => {
    const its = past.get(id) ?? []
    if (!its.length) return []
    const plan = planOf(config)
    const whole = compared(name, Math.max(0, ...plan.map(({ end }) => end)), its)
    const milestones = plan.map(({ ref, name: title, start, end, tasks }) => {
      const own = new Set(tasks.map((task) => `${id}/${task.ref}`))
      const took = its.map((project) => ({ id: project.id, days: rangeOf(project, own) }))
      return { ref, ...compared(title, end - start, took) }
    })
    return [{ id, whole, milestones }]
  })
}

type Found = { id: string; name: string; version: number; config: TemplateConfig }

function templatesOf(ctx: Context, id?: string): Promise<Found[]> {
  return ctx.all<Found>(sql`
    select t.id, t.template_name as name, t.published_version as version, t.template_config as config from templates t
    where ${scope(ctx, Template, 'read')} and t.template_type = 'project'
      ${id === undefined ? sql`` : sql`and t.id = ${id}`}
    order by t.id limit 500`)
}

async function runningOf(ctx: Context, ids: string[]): Promise<Map<string, number>> {
  const found = await ctx.all<{ template_id: string; count: number }>(sql`
    select t.template_id, count(*)::integer as count from projects t
    where ${scope(ctx, Project, 'read')} and t.project_type = 'project' and t.completed_at is null
      and t.template_id = any(${ids}::varchar[])
    group by t.template_id`)
  return new Map(found.map(({ template_id, count }) => [template_id, count]))
}

/** The newest finished projects of some templates. */
export function finishedOf(ctx: Context, ids: string[], each: number): Promise<PastProject[]> {
  return pastProjects(
    ctx,
    sql`select p.id, p.template_id, p.template_version, p.holidays_id from (
        select t.id, t.template_id, t.template_version, t.holidays_id,
          row_number() over (partition by t.template_id order by t.completed_at desc, t.id) as at
        from projects t
        where ${scope(ctx, Project, 'read')} and t.project_type = 'project'
          and t.completed_at is not null and t.template_id = any(${ids}::varchar[])) p
      where p.at <= ${each} order by p.at, p.id`,
  )
}

function summary(config: TemplateConfig, past: PastProject[]) {
  const took = past.flatMap((project) => project.days ?? [])
  return {
    n: took.length,
    planned: Math.max(0, ...planOf(config).map(({ end }) => end)),
    median: median(took),
    p85: percentile85(took),
  }
}

/** Which lines each version of a template had: nobody has deleted what a project never got. */
async function linesHad(ctx: Context, { id, version, config }: Found) {
  const kept = await ctx.all<{ number: number; template_config: TemplateConfig }>(sql`
    select t.number, t.template_config from template_versions t
    where ${mine(ctx)} and t.template_id = ${id} and t.number > 0
    order by t.number desc limit 100`)
  const had = new Map(kept.map(({ number, template_config }) => [number, refsOf(template_config)]))
  had.set(version, refsOf(config))
  return (of: number | null, ref: string) => had.get(of ?? 1)?.has(ref) ?? false
}

function refsOf(config: TemplateConfig): Set<string> {
  return new Set(
    planOf(config).flatMap(({ ref, tasks }) => [ref, ...tasks.map((task) => task.ref)]),
  )
}

type Had = Awaited<ReturnType<typeof linesHad>>

function detailed({ id, config }: Found, past: PastProject[], running: number, had: Had) {
  const plan = planOf(config)
  const taken = new Map<string, number[]>()
  const there = new Map<string, Set<string>>()
  const note = <V>(map: Map<string, V>, key: string, start: V) => {
    const value = map.get(key) ?? start
    map.set(key, value)
    return value
  }
  for (const project of past) {
    for (const { ref } of [...project.milestones, ...project.tasks]) {
      if (ref !== null) note(there, ref, new Set()).add(project.id)
    }
    for (const { ref, days: its } of project.tasks) {
      if (ref !== null && its !== null) note(taken, ref, []).push(its)
    }
    for (const { ref, tasks } of plan) {
      const own = new Set(tasks.map((task) => `${id}/${task.ref}`))
      const range = rangeOf(project, own)
      if (range !== null) note(taken, `${id}/${ref}`, []).push(range)
    }
  }
  const line = (kind: 'milestone' | 'task', ref: string, title: string, planned: number) => {
    const full = `${id}/${ref}`
    const its = taken.get(full) ?? []
    const having = past.filter(({ template_version }) => had(template_version, ref))
    return {
      ref,
      kind,
      title,
      n: its.length,
      planned,
      median: median(its),
      p85: percentile85(its),
      removed: having.filter((project) => !there.get(full)?.has(project.id)).length,
      of: having.length,
    }
  }
  return {
    template_id: id,
    running,
    ...summary(config, past),
    lines: plan.flatMap(({ ref, name, start, end, tasks }) => [
      line('milestone', ref, name, end - start),
      ...tasks.map((task) => line('task', task.ref, task.title, task.duration_days ?? 1)),
    ]),
    added: addedTo(past, id, new Set(plan.flatMap(({ tasks }) => tasks.map((task) => task.title)))),
  }
}

/** The working days from the first to the last one of some lines of a project; null where none is finished. */
function rangeOf({ tasks }: PastProject, refs: Set<string>): number | null {
  const its = tasks.flatMap(({ ref, start, days: long }) =>
    ref !== null && refs.has(ref) && start !== null && long !== null
      ? { start, end: start + long }
      : [],
  )
  if (!its.length) return null
  return Math.max(...its.map(({ end }) => end)) - Math.min(...its.map(({ start }) => start))
}

/** The tasks that half of the projects or more, and at least two, have and the template lacks. */
function addedTo(past: PastProject[], id: string, titles: Set<string>) {
  const known = new Set([...titles].map((title) => foldedText(title)))
  const found = new Map<string, { task: PastProject['tasks'][number]; project: string }[]>()
  for (const project of past) {
    for (const task of project.tasks) {
      if (task.ref?.startsWith(`${id}/`) || known.has(task.key)) continue
      const its = found.get(task.key) ?? []
      if (its.some((each) => each.project === project.id)) continue
      found.set(task.key, [...its, { task, project: project.id }])
    }
  }
  return [...found.values()]
    .filter((its) => its.length > 1 && 2 * its.length >= past.length)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 50)
    .map((its) => ({
      title: its[0]?.task.title ?? '',
      milestone: mostOften(its.map(({ task }) => task.milestone)),
      projects: its.length,
      of: past.length,
      median: median(its.flatMap(({ task }) => task.days ?? [])),
    }))
}

/** The text that is there most often, the first of several. */
export function mostOften(texts: string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)]
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? ''
}
