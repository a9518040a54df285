import { Type } from 'typebox'
import { crud } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import { without } from '../../kit/ground/json-schema.ts'
import type { Can } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import { scope } from '../../kit/record/scope.ts'
import { checkMove, moveDescription, placeBetween, placeProperties } from '../../kit/write/move.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { createBody, updateBody } from './body.ts'
import { addMilestone } from './create.ts'
import { allQuery, listAllMilestones } from './list.ts'
import { Milestone, ShownMilestone } from '../../model/milestones/milestone.ts'
import { removeMilestone, restoreMilestone } from './remove.ts'
import { updateMilestone } from './update.ts'
import { checkReadable, readAfter, readOne } from '../../kit/read/one.ts'

const plain = crud(ShownMilestone)
const id = Type.String({ description: 'the project or deal' })
const ofProject = Type.Object({ id })
const one = Type.Object({ id, milestone_id: Type.String({ description: 'the milestone' }) })
const may = (action: 'read' | 'update'): Can => ({ module: 'projects', action, or: 'deals' })

/** The milestones of one project or deal. */
export const milestones = {
  list: operation({
    ...plain.list,
    can: may('read'),
    input: { query: without(plain.list.input.query, 'filter', 'filter_id'), params: ofProject },
    async run(ctx, { params, query }) {
      await checkReadable(ctx, ProjectOrDeal, params.id)
      const ordered = inOwnOrder(query, { sort: 'position' })
      return listPage(ctx, ShownMilestone, ordered, sql`t.project_id = ${params.id}`)
    },
  }),
  listAll: operation({
    ...plain.list,
    name: 'list_all_milestones',
    summary: 'List the milestones of all projects and deals',
    description:
      '`due_filter=overdue` are those that were due before today, are not completed, and have something open.',
    can: may('read'),
    input: { query: allQuery },
    run: (ctx, { query }) => listAllMilestones(ctx, query),
  }),
  create: operation({
    ...plain.create,
    can: may('update'),
    input: { params: ofProject, body: createBody },
    async run(ctx, { params, body }) {
      await checkChangeable(ctx, params.id)
      return readAfter(ctx, ShownMilestone, await addMilestone(ctx, params.id, body))
    },
  }),
  read: operation({
    ...plain.read,
    can: may('read'),
    input: { params: one },
    async run(ctx, { params }) {
      await checkWithin(ctx, params)
      return readOne(ctx, ShownMilestone, params.milestone_id)
    },
  }),
  update: operation({
    ...plain.update,
    can: may('update'),
    input: { params: one, body: updateBody },
    async run(ctx, { params, body, ifMatch }) {
      await checkWithin(ctx, params)
      return readAfter(
        ctx,
        ShownMilestone,
        await updateMilestone(ctx, params.milestone_id, body, ifMatch),
      )
    },
  }),
  move: operation({
    ...plain.update,
    name: 'move_milestone',
    summary: 'Move a milestone to another place',
    description: moveDescription,
    can: may('update'),
    aliases: {},
    input: {
      params: one,
      body: Type.Object({ ...placeProperties, set: Type.Optional(updateBody) }),
    },
    async run(ctx, { params, body, ifMatch }) {
      const { set = {}, ...neighbours } = body
      const { milestone_id } = params
      await checkWithin(ctx, params)
      const ofOne = { column: 'project_id', isStrict: true }
      const place = await placeBetween(ctx, Milestone, milestone_id, neighbours, ofOne)
      checkMove(place, set)
      return readAfter(
        ctx,
        ShownMilestone,
        await updateMilestone(ctx, milestone_id, set, ifMatch, place),
      )
    },
  }),
  remove: operation({
    ...plain.remove,
    can: may('update'),
    input: { params: one },
    async run(ctx, { params, ifMatch }) {
      await checkWithin(ctx, params)
      return removeMilestone(ctx, params.milestone_id, ifMatch)
    },
  }),
  restore: operation({
    ...plain.restore,
    can: may('update'),
    input: { params: one },
    async run(ctx, { params }) {
      await checkReadable(ctx, ProjectOrDeal, params.id)
      await checkWithin(ctx, params, true)
      return readAfter(ctx, ShownMilestone, await restoreMilestone(ctx, params.milestone_id))
    },
  }),
}

/** 404 unless the milestone belongs to the project and is visible. */
async function checkWithin(
  ctx: Context,
  { id, milestone_id }: { id: string; milestone_id: string },
  isDeleted = false,
) {
  const alive = isDeleted ? mine(ctx) : scope(ctx, Milestone, 'read')
  const found = await ctx.one(sql`select t.id from milestones t
    where ${alive} and t.id = ${milestone_id} and t.project_id = ${id}`)
  if (!found) throw notFound('Milestone')
}

/** 403 if the caller may read but not change the project, 404 if neither. */
export async function checkChangeable(ctx: Context, project: string) {
  await checkReadable(ctx, ProjectOrDeal, project)
  const found = await ctx.one(sql`select t.id from projects t
    where ${scope(ctx, ProjectOrDeal, 'update')} and t.id = ${project}`)
  if (!found) throw forbidden('Your role may not change this project')
}
