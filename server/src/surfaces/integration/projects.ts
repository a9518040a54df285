import { inPlace } from '../../kit/record/rank.ts'
import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { DayWord } from '../../kit/ground/dates.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { columnsFor, joinsFor, shapeFor, writeReads } from '../../kit/read/json.ts'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import { schema } from '../../kit/ground/json-schema.ts'
import { Answer, Json, operation } from '../../kit/ground/operation.ts'
import { nextCursorProperty, offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { createSchema, readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { extraProperties, typeOf } from '../../records/projects/input.ts'
import { typeOfId } from '../../records/projects/move.ts'
import { projects } from '../../records/projects/operations.ts'
import { dealOptions, projectOptions } from '../../records/projects/options.ts'
import { Project, ProjectOrDeal, recordOfType } from '../../model/projects/project.ts'
import { createProject } from '../../records/projects/create.ts'
import { updateProject } from '../../records/projects/update.ts'
import { Task } from '../../model/tasks/task.ts'
import { dueCondition } from '../../model/time/dates.ts'
import { Template } from '../../model/templates/template.ts'
import { equalityParameters, filteredBy } from './equalities.ts'
import { isTruthy } from './modes.ts'
import { kindsInScope } from './tasks.ts'
import { catalogueOf } from '../../records/field-config/catalogue.ts'
import {
  answerProject,
  dueFilter,
  fieldSwitch,
  listOrFields,
  pageSize,
  projectAnswer,
  text,
} from './shapes.ts'

const open = Type.Object({}, { additionalProperties: true })
const may = <A extends 'create' | 'read' | 'update'>(action: A) =>
  ({ module: 'projects', action, or: 'deals' }) as const

/** A parameter that says whether projects or deals are meant. */
const kind = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 20, description }))

/** Properties of a create besides the fields of a project, and of a deal. */
const projectExtras = { org_temp_id: { references: 'templates' }, status: { type: 'text' } }
const dealExtras = {
  pipeline_id: { references: 'pipelines' },
  stage_id: { references: 'stages' },
  lost_reason: { type: 'text' },
  org_temp_id: { references: 'templates' },
}

/** The maximum page size of a list of projects. */
const maxPage = 500

/** The parameters of the list that stand for an equality. */
const equals = {
  project_name: 'project_name',
  project_owner: 'project_owner',
  project_manager: 'project_manager',
  pipeline_id: 'pipeline_id',
  stage_id: 'stage_id',
  account_id: 'account_id',
  company_id: 'company_id',
}

/** What a list of both kinds is filtered by: the fields of projects, and those of deals. */
const Either = { ...ProjectOrDeal, filteredAs: ['projects', 'deals'] }

/**
 * GET project: projects, deals with `module=deal_plan` or `project_type=deal`, or with `project_type=any`
 * both, each if the app has its scope.
 */
export const listProjects = operation({
  name: 'get_projects',
  summary: 'List projects or deals',
  can: may('read'),
  // project.read or deal.read, as requested
  scope: null,
  scopes: ['project.read', 'deal.read'],
  writes: false,
  input: {
    query: Type.Object({
      page: pageProperties.page,
      offset: offsetProperty,
      next_cursor: nextCursorProperty,
      items_per_page: pageSize('records per page'),
      limit: pageSize('same as items_per_page'),
      project_type: kind('project, deal, or any for both; project by default'),
      module: kind('same as project_type, as projects or deal_plan'),
      org_temp_id: Type.Optional(idInQuery('only those created from this template')),
      sort: text(500, 'comma-separated fields, - sorts descending'),
      filter: text(20_000, 'JSON array of conditions'),
      ...equalityParameters(equals),
      q: text(200, 'text that the name or keys contain'),
      due_filter: dueFilter('by the due date of the project itself'),
      field_config: fieldSwitch,
    }),
  },
  output: listOrFields(envelopeOf(readSchema(Project), { max_page_limit: { type: 'integer' } })),
  async run(ctx, input) {
    const { query } = input
    const isAny = query.project_type === 'any'
    const kinds = isAny ? kindsInScope(ctx) : [typeOf(query) ?? 'project']
    const [type = 'project'] = kinds
    requireScope(ctx.actor, `${type}.read`)
    if (isTruthy('field_config', query.field_config)) {
      return catalogueOf(ctx, recordOfType(type), type === 'deal' ? dealExtras : projectExtras)
    }
    if (query.org_temp_id) {
      const known = await ctx.one(sql`select t.id from templates t
        where ${scope(ctx, Template, 'read')} and t.id = ${query.org_temp_id}`)
      if (!known) throw notFound('Template')
    }
    const extra = all(
      kinds.length > 1 ? undefined : sql`t.project_type = ${type}`,
      query.org_temp_id ? sql`t.template_id = ${query.org_temp_id}` : undefined,
      dueCondition(ctx, query.due_filter),
    )
    const also = { max_page_limit: maxPage }
    const words = [kinds, query.org_temp_id, query.due_filter, query.q].join()
    const record = isAny ? Either : recordOfType(type)
    const sent = { ...input, query: filteredBy(query, equals) }
    return listEnvelope(ctx, record, sent, { extra, words, also })
  },
})

/** POST project: the new id as `project_id`, the record under `data`. */
export const createOne = operation({
  name: 'integration_create_project',
  summary: 'Create a project or deal',
  can: may('create'),
  scope: null,
  scopes: ['project.write', 'deal.write'],
  writes: true,
  aliases: ProjectOrDeal.aliases,
  input: {
    body: schema<{ [field: string]: unknown }>({
      ...createSchema(ProjectOrDeal),
      properties: {
        ...(createSchema(ProjectOrDeal).properties as object),
        ...extraProperties,
      },
    }),
  },
  output: projectAnswer,
  async run(ctx, { body }) {
    requireScope(ctx.actor, `${typeOf(body) ?? 'project'}.write`)
    return answerProject(await createProject(ctx, body))
  },
})

/** PUT project/{project_id}: changes a project or deal, including its stage. */
export const updateOne = operation({
  name: 'integration_update_project',
  summary: 'Update a project or deal',
  description: 'Only the fields in the body change; `stage_id` moves a deal.',
  can: may('update'),
  scope: null,
  scopes: ['project.write', 'deal.write'],
  writes: true,
  isVersioned: true,
  aliases: ProjectOrDeal.aliases,
  input: {
    params: Type.Object({ project_id: Type.String() }),
    body: projects.update.input.body,
  },
  output: projectAnswer,
  async run(ctx, { params: { project_id }, body, ifMatch }) {
    const type = await typeOfId(ctx, project_id)
    requireScope(ctx.actor, `${type}.write`)
    return answerProject(await updateProject(ctx, project_id, body, ifMatch))
  },
})

/** GET project/{project_id}: the project with its plan, its options, or its milestones alone. */
export const readProject = operation({
  name: 'get_project',
  summary: 'Retrieve a project or deal with its milestones and tasks',
  description: 'Or only its options or its milestones, depending on the query.',
  can: may('read'),
  scope: null,
  scopes: ['project.read', 'deal.read'],
  writes: false,
  input: {
    params: Type.Object({ project_id: Type.String() }),
    query: Type.Object({
      due_filter: dueFilter('filters the tasks inside the milestones'),
      options: text(20, 'the options instead'),
      milestone: text(20, 'the milestones alone'),
      milestones: text(20, 'same as milestone'),
    }),
  },
  output: open,
  async run(ctx, { params, query }) {
    const type = await typeOfId(ctx, params.project_id)
    requireScope(ctx.actor, `${type}.read`)
    const project = shapeFor(ctx, recordOfType(type))
    const [cells] = await ctx.cells(sql`
      select ${columnsFor(ctx, project)} from projects t ${joinsFor(ctx, project)}
      where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${params.project_id}`)
    if (!cells) throw notFound('Project')
    const plan = await planOf(ctx, params.project_id, query.due_filter)
    if (isTruthy('options', query.options)) return projectOptions(ctx, plan.names)
    if (isTruthy('milestone', query.milestone) || isTruthy('milestones', query.milestones)) {
      return Json.of('{"results":[', plan.texts, ']}')
    }
    const [text] = await writeReads(ctx, project, [cells])
    if (text === undefined) throw notFound('Project')
    const whole = Json.of(`${text.slice(0, -1)},"milestones":[`, plan.texts, ']}')
    return new Answer(whole, { id: params.project_id, version: Number(cells[1]) })
  },
})

/** GET deal/options: the options for forms of deals. */
export const readDealOptions = operation({
  name: 'get_deal_options',
  summary: 'Retrieve the options of deals',
  description: 'The pipelines with their stages, and the values of the selectable fields.',
  can: { module: 'deals', action: 'read' },
  writes: false,
  input: {},
  output: open,
  run: (ctx) => dealOptions(ctx),
})

/** The milestones of a project with their tasks, as JSON texts; three queries whatever the size. */
async function planOf(ctx: Context, project: string, due: DayWord | undefined) {
  const [milestone, task] = [shapeFor(ctx, Milestone), shapeFor(ctx, Task)]
  const [milestones, tasks] = await Promise.all([
    ctx.cells(sql`
      select ${columnsFor(ctx, milestone)} from milestones t ${joinsFor(ctx, milestone)}
      where ${scope(ctx, Milestone, 'read')} and t.project_id = ${project}
      order by ${sql.raw(inPlace('t'))}, t.id`),
    ctx.cells(sql`
      select ${columnsFor(ctx, task)}, t.milestone_id from tasks t ${joinsFor(ctx, task)}
      where ${all(scope(ctx, Task, 'read'), dueCondition(ctx, due))} and t.project_id = ${project}
        and t.milestone_id is not null
      order by ${sql.raw(inPlace('t'))}, t.id`),
  ])
  const [texts, taskTexts] = await Promise.all([
    writeReads(ctx, milestone, milestones),
    writeReads(ctx, task, tasks),
  ])
  const byMilestone = new Map<string, string[]>()
  for (const [i, cells] of tasks.entries()) {
    const milestone_id = cells.at(-1) ?? ''
    const own = byMilestone.get(milestone_id) ?? []
    own.push(taskTexts[i] ?? '')
    byMilestone.set(milestone_id, own)
  }
  return {
    names: texts.map((text) => JSON.parse(text) as { milestone_id: string; name: string }),
    texts: texts.map((text, i) => {
      const cells = milestones[i] ?? []
      const own = byMilestone.get(cells[0] ?? '') ?? []
      return `${text.slice(0, -1)},"tasks":[${own.join()}]}`
    }),
  }
}
