import { Type } from 'typebox'
import { byId, crud, pageQuery } from '../../kit/crud.ts'
import { idInQuery } from '../../kit/ground/ids.ts'
import { arrayOf, extend, orNull } from '../../kit/ground/json-schema.ts'
import type { Action, Can } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { checkMove, moveDescription, placeBetween, placeProperties } from '../../kit/write/move.ts'
import { remove } from '../../kit/write/write.ts'
import { cascade } from './cascade.ts'
import { convertDeal } from './convert.ts'
import { createProject } from './create.ts'
import { duplicateProject } from './duplicate.ts'
import { projectCreate, projectUpdate, typeOf } from './input.ts'
import { typeOfId } from './move.ts'
import { planSchema, readPlan, tagged } from './plan.ts'
import { ProjectOrDeal, recordOfType, ShownProject } from '../../model/projects/project.ts'
import { restoreProject } from './restore.ts'
import { stageCategory } from '../../model/projects/shapes.ts'
import { stageHistory } from './stage-history.ts'
import { updateProject } from './update.ts'
import { readAfter } from '../../kit/read/one.ts'

const may = (action: Action): Can => ({ module: 'projects', action, or: 'deals' })

const plain = crud(ShownProject)
const shape = readSchema(ShownProject)
const { aliases } = ProjectOrDeal

const kinds = {
  project_type: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'project or deal; both when absent' }),
  ),
  module: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'projects or deal_plan: the same' }),
  ),
}
const name = Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 }))
const day = (description?: string) =>
  Type.Optional(orNull(Type.String({ format: 'date', ...(description ? { description } : {}) })))

export const projects = {
  list: operation({
    ...plain.list,
    can: may('read'),
    input: { query: extend(pageQuery(true), kinds) },
    run(ctx, { query }) {
      const type = typeOf(query)
      return listPage(ctx, ShownProject, query, type && sql`t.project_type = ${type}`)
    },
  }),
  read: operation({ ...plain.read, can: may('read') }),
  create: operation({
    ...plain.create,
    summary: 'Create a project or deal',
    description: 'With its account, customer and the plan of its template in one call.',
    can: may('create'),
    aliases,
    within: 'project',
    input: { body: projectCreate },
    run: async (ctx, { body }) => readAfter(ctx, ShownProject, await createProject(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    can: may('update'),
    aliases,
    input: { params: byId, body: projectUpdate },
    run: async (ctx, { params, body, ifMatch }) =>
      readAfter(ctx, ShownProject, await updateProject(ctx, params.id, body, ifMatch)),
  }),
  move: operation({
    ...plain.update,
    name: 'move_project',
    summary: 'Move a project or deal to another place',
    description: `${moveDescription} A deal enters another stage in the same write.`,
    can: may('update'),
    aliases: {},
    input: {
      params: byId,
      body: Type.Object({ ...placeProperties, set: Type.Optional(projectUpdate) }),
    },
    async run(ctx, { params: { id }, body, ifMatch }) {
      const { set = {}, ...neighbours } = body
      const ofType = { column: 'project_type', isStrict: true }
      const place = await placeBetween(ctx, ProjectOrDeal, id, neighbours, ofType)
      checkMove(place, set)
      return readAfter(ctx, ShownProject, await updateProject(ctx, id, set, ifMatch, place))
    },
  }),
  remove: operation({
    ...plain.remove,
    can: may('delete'),
    async run(ctx, { params: { id }, ifMatch }) {
      const answer = await remove(ctx, recordOfType(await typeOfId(ctx, id)), id, ifMatch)
      await cascade(ctx, 'project_id', id, { from: null, to: ctx.now().toISOString() })
      return answer
    },
  }),
  restore: operation({
    ...plain.restore,
    can: may('delete'),
    run: async (ctx, { params: { id } }) =>
      readAfter(ctx, ShownProject, await restoreProject(ctx, id)),
  }),
  duplicate: operation({
    name: 'duplicate_project',
    summary: 'Duplicate a project or deal',
    description: 'The copy has the same milestones and tasks, all of them not started.',
    can: may('create'),
    writes: true,
    input: {
      params: byId,
      body: Type.Object({ project_name: name, start_date: day('moves every date') }),
    },
    aliases: { name: 'project_name' },
    output: shape,
    run: async (ctx, { params, body }) =>
      readAfter(ctx, ShownProject, await duplicateProject(ctx, params.id, body)),
  }),
  convert: operation({
    name: 'convert_deal',
    summary: 'Convert a won deal into a project',
    description: 'A deal is converted once; if its project already exists, 409 names it.',
    can: { module: 'projects', action: 'create' },
    writes: true,
    input: {
      params: byId,
      body: Type.Object({
        template_id: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
        project_name: name,
        start_date: day(),
        due_date: day(),
      }),
    },
    aliases: { name: 'project_name' },
    output: shape,
    run: async (ctx, { params, body }) =>
      readAfter(ctx, ShownProject, await convertDeal(ctx, params.id, body)),
  }),
  plan: operation({
    name: 'read_project_plan',
    summary: 'Retrieve the plan of a project or deal',
    description:
      'Its milestones, its tasks with their subtasks, and the dependencies between them.',
    can: may('read'),
    writes: false,
    isRevalidated: true,
    input: {
      params: byId,
      query: Type.Object({
        baseline: Type.Optional(
          idInQuery('with the dates of this one of its `baselines` beside each row'),
        ),
      }),
    },
    output: planSchema,
    run: async (ctx, { params, query }) => tagged(await readPlan(ctx, params.id, query.baseline)),
  }),
  stageHistory: operation({
    name: 'list_stage_history',
    summary: 'List the stage history of a deal',
    can: may('read'),
    writes: false,
    input: { params: byId },
    output: arrayOf(
      Type.Object(
        {
          stage_id: Type.String(),
          stage_name: Type.String(),
          category: stageCategory,
          lost_reason: orNull(Type.String()),
          changed_by: orNull(Type.String({ description: 'the id of a user' })),
          entered_at: Type.String({ format: 'date-time' }),
          left_at: orNull(Type.String({ format: 'date-time' })),
          duration: Type.Integer({ description: 'seconds, until now for the last one' }),
        },
        { title: 'StageChange' },
      ),
    ),
    run: (ctx, { params }) => stageHistory(ctx, params.id),
  }),
}
