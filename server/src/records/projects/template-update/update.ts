import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { turns } from '../../../kit/ground/turns.ts'
import { levelOf, mayCreate, rights, scope } from '../../../kit/record/scope.ts'
import { Project } from '../../../model/projects/project.ts'
import type { TemplateConfig, TemplateRole } from '../../../model/templates/config.ts'
import { Template } from '../../../model/templates/template.ts'
import { undoDays } from '../../bulk/undo.ts'
import { lockDependencies } from '../../tasks/links.ts'
import { checkConfined } from '../../tasks/update.ts'
import { assigneesIn } from '../../templates/assignees.ts'
import { readableOf } from '../../templates/documents.ts'
import { formsOf } from '../../templates/layout.ts'
import { peopleBy } from '../from-template/people.ts'
import { storedPlans } from '../schedule/stored.ts'
import { described, updateAnswer } from './answer.ts'
import { besideTemplate } from './hand.ts'
import { linesOf } from './lines.ts'
import { outcomeOf } from './outcome.ts'
import { projectRows } from './rows.ts'
import type { Updating } from './write.ts'
import { writeUpdates } from './write.ts'

/** Projects that are updated by one request, and their tasks together. */
const most = 50
const mostTasks = 20_000

/** Running projects take over what a newer version of their template adds and changes. */
export const updateProjects = operation({
  name: 'update_projects_of_template',
  summary: 'Update running projects to the current version of their template',
  description:
    'Running projects of older versions get the lines that are new in it, and its changes of those that are open and as ' +
    'they were made; dates move by working days with what follows. What is done, or was changed by hand, stays, and ' +
    'nothing is deleted. `dry_run` answers the same and writes nothing, without `project_ids` for all of them. ' +
    `For ${undoDays} days \`bulk_id\` undoes all of it.`,
  can: { module: 'projects', action: 'update' },
  writes: true,
  input: {
    params: byId,
    body: Type.Object(
      {
        dry_run: Type.Optional(Type.Boolean({ description: 'write nothing (false)' })),
        project_ids: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 25 }), {
            minItems: 1,
            maxItems: most,
            uniqueItems: true,
            description: 'the projects; a dry run takes all by default',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: updateAnswer,
  run: (ctx, { params, body }) => updated(ctx, params.id, body),
})

type Found = {
  id: string
  published_version: number
  template_config: TemplateConfig
  roles: TemplateRole[]
}
type FoundProject = Updating['project'] & {
  project_name: string
  project_owner: string | null
  project_manager: string | null
  is_allowed: boolean
  tasks: number
}

async function updated(
  ctx: Context,
  id: string,
  { dry_run = false, project_ids }: { dry_run?: boolean; project_ids?: string[] },
) {
  checkConfined(ctx, ['due_date'])
  if (levelOf(ctx.actor, 'tasks', 'update') === 'none') {
    throw forbidden('Your role may not update tasks')
  }
  if (!dry_run && !project_ids) throw badField('project_ids', 'is required, except with dry_run')
  const template = await ctx.one<Found>(sql`
    select t.id, t.published_version, t.template_config, t.roles from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${id} and t.template_type = 'project'`)
  if (!template) throw notFound('Template')
  // the lock of dependencies comes before those of projects and tasks, as where one is added
  if (!dry_run) await lockDependencies(ctx)
  const found = await olderProjects(ctx, template)
  const allowed = found.filter(({ is_allowed }) => is_allowed)
  const { chosen, more } = chosenOf(allowed, project_ids)
  const updates = await outcomesOf(ctx, template, chosen, dry_run)
  const projects = updates.map(({ project, outcome }) => described(project, outcome))
  const answer = {
    template_id: id,
    published_version: template.published_version,
    projects,
    hidden: found.length - allowed.length,
    more,
  }
  if (dry_run) return { ...answer, bulk_id: null }
  if (projects.some(({ added }) => added.length)) mayCreate(ctx, 'tasks')
  const bad = projects.find(({ problem }) => problem !== null)
  if (bad) throw conflict(`${bad.project_name} cannot be updated: ${bad.problem}`, 'circle')
  return { ...answer, bulk_id: await writeUpdates(ctx, updates, template.published_version) }
}

/** The running projects of older versions of a template, by name. */
function olderProjects(ctx: Context, { id, published_version }: Found): Promise<FoundProject[]> {
  const allowed = all(rights(ctx, Project, 'read'), rights(ctx, Project, 'update')) ?? sql`true`
  return ctx.all<FoundProject>(sql`
    select t.id, t.project_name, t.template_version, t.account_id, t.project_owner,
      t.project_manager, (${allowed}) as is_allowed,
      (select count(*)::integer from tasks k where ${mine(ctx, 'k')} and k.project_id = t.id
        and k.deleted_at is null) as tasks
    from projects t
    where ${mine(ctx)} and t.template_id = ${id} and t.template_version < ${published_version}
      and t.project_type = 'project' and t.completed_at is null and t.deleted_at is null
    order by lower(t.project_name), t.id limit 5000`)
}

/** The projects that are named, or else the first ones, as far as one request takes them. */
function chosenOf(allowed: FoundProject[], ids: string[] | undefined) {
  const byId = new Map(allowed.map((project) => [project.id, project]))
  const wanted = ids?.map((id, at) => {
    const project = byId.get(id)
    if (project) return project
    throw badField(
      `project_ids.${at}`,
      'no running project of an older version that you may change',
    )
  })
  const chosen: FoundProject[] = []
  let tasks = 0
  for (const project of wanted ?? allowed) {
    tasks += project.tasks
    if (chosen.length && (chosen.length >= most || tasks > mostTasks)) break
    chosen.push(project)
  }
  if (wanted && chosen.length < wanted.length) {
    throw badField('project_ids', 'have more than 20,000 tasks together: choose fewer')
  }
  return { chosen, more: wanted ? 0 : allowed.length - chosen.length }
}

async function outcomesOf(
  ctx: Context,
  { id, template_config, roles }: Found,
  chosen: FoundProject[],
  isDry: boolean,
) {
  const ids = chosen.map((project) => project.id)
  if (!ids.length) return []
  const plans = await storedPlans(ctx, ids, isDry ? 'whole' : 'locked')
  const rows = await projectRows(ctx, plans)
  const bases = await versionsOf(ctx, id, chosen)
  const next = linesOf(id, template_config)
  const tasks = next.flatMap(({ task }) => task ?? [])
  const sources = { forms: await formsOf(ctx, tasks), documents: await readableOf(ctx, tasks) }
  const personIn = await assigneesIn(ctx, ids, roles)
  const ownerOf = (project: FoundProject) => (role: string | undefined) => personIn(project, role)
  const people = new Set(
    chosen.flatMap((project) => next.flatMap(({ role }) => ownerOf(project)(role) ?? [])),
  )
  const known = await peopleBy(ctx, [...people])
  const worked = turns()
  const updates: (Updating & { project: FoundProject })[] = []
  for (const project of chosen) {
    const plan = plans.get(project.id)
    if (!plan) continue
    const its = rows.get(project.id) ?? []
    await worked(300 * (its.length + next.length))
    const beside = besideTemplate(plan, its, bases.get(project.template_version) ?? [])
    const outcome = await outcomeOf(ctx, beside, next, sources)
    if (outcome.added.length && levelOf(ctx.actor, 'tasks', 'create') === 'none') {
      outcome.problem ??= 'your role may not create tasks'
    }
    const personFor = (role: string | undefined) => {
      const owner = ownerOf(project)(role)
      // tasks of somebody who has left have no owner
      return owner !== null && known.get(owner)?.has_left === false ? owner : null
    }
    updates.push({ project, outcome, personFor })
  }
  return updates
}

/** The lines of the versions from which projects were made. */
async function versionsOf(ctx: Context, id: string, projects: FoundProject[]) {
  const numbers = [...new Set(projects.map(({ template_version }) => template_version))]
  const found = await ctx.all<{ number: number; template_config: TemplateConfig }>(sql`
    select t.number, t.template_config from template_versions t
    where ${mine(ctx)} and t.template_id = ${id} and t.number = any(${numbers}::integer[])`)
  return new Map(
    found.map(({ number, template_config }) => [number, linesOf(id, template_config)] as const),
  )
}
