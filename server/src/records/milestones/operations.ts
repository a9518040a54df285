import type { Draft } from '../../kit/record/record.ts'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import {
  checkReadable,
  insert,
  lock,
  readOne,
  remove,
  restore,
  update,
  written,
} from '../../kit/write/write.ts'
import { cascade } from '../projects/cascade.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import type { Status } from '../statuses/status.ts'
import { shownStatus, statusFor, statusNamed, statusSchema } from '../statuses/status.ts'
import { Milestone } from './milestone.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Milestone)
const of: JSONSchema = { type: 'string', description: 'the project or deal' }
const ofProject = { type: 'object', properties: { id: of }, required: ['id'] }
const one = {
  type: 'object',
  properties: { id: of, milestone_id: { type: 'string', description: 'the milestone' } },
  required: ['id', 'milestone_id'],
}
const may = (action: 'read' | 'update'): Can => ({ module: 'projects', action, or: 'deals' })

/** The milestones of one project or deal. */
export const milestones = {
  list: {
    ...plain.list,
    can: may('read'),
    input: {
      query: without(plain.list.input.query!, 'filter', 'filter_id'),
      params: ofProject,
    },
    async run(ctx: Context, { params, query }: Input) {
      await checkReadable(ctx, ProjectOrDeal, params.id)
      const order = query.sort ? {} : { sort: 'position' }
      return listPage(ctx, Milestone, { ...query, ...order }, sql`t.project_id = ${params.id}`)
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    can: may('update'),
    input: { params: ofProject, body: bodySchema(createSchema(Milestone)) },
    async run(ctx: Context, { params, body }: Input) {
      await mayChange(ctx, params.id)
      return written(await addMilestone(ctx, params.id, body))
    },
  } satisfies Operation,
  read: {
    ...plain.read,
    can: may('read'),
    input: { params: one },
    async run(ctx: Context, { params }: Input) {
      await within(ctx, params)
      return readOne(ctx, Milestone, params.milestone_id)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    can: may('update'),
    input: { params: one, body: bodySchema(updateSchema(Milestone)) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      await within(ctx, params)
      return written(await updateMilestone(ctx, params.milestone_id, body, ifMatch))
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    can: may('update'),
    input: { params: one },
    async run(ctx: Context, { params, ifMatch }: Input) {
      await within(ctx, params)
      const answer = await remove(ctx, Milestone, params.milestone_id, ifMatch)
      const times = { from: null, to: ctx.now().toISOString() }
      await cascade(ctx, 'milestone_id', params.milestone_id, times)
      return answer
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    can: may('update'),
    input: { params: one },
    async run(ctx: Context, { params }: Input) {
      await checkReadable(ctx, ProjectOrDeal, params.id)
      await within(ctx, params, true)
      const { milestone_id } = params
      const gone = await ctx.one<{ deleted_at: string | null }>(sql`
        select deleted_at from milestones t where ${mine(ctx)} and t.id = ${milestone_id}`)
      // first, so that what is told of the milestone counts them
      await cascade(ctx, 'milestone_id', milestone_id, { from: gone!.deleted_at, to: null })
      return written(await restore(ctx, Milestone, milestone_id))
    },
  } satisfies Operation,
}

/** Makes a milestone at the end of a project, or where its position says. */
export async function addMilestone(
  ctx: Context,
  project_id: string,
  { status: given, ...fields }: { [field: string]: unknown },
) {
  checkDates(fields)
  const status = given
    ? await statusNamed(ctx, 'milestones', given)
    : await statusFor(ctx, 'milestones', 'not_started')
  const position = fields.position ?? (await nextPosition(ctx, project_id))
  const body = { ...fields, position, project_id }
  return insert(ctx, Milestone, body as Draft<typeof Milestone>, { set: withStatus(ctx, status) })
}

/** Changes a milestone; entering a completed status stamps it and is told of as such. */
export async function updateMilestone(
  ctx: Context,
  id: string,
  { status: given, project_id: _project, ...fields }: { [field: string]: unknown },
  ifMatch?: number[],
) {
  const { row } = await lock(ctx, Milestone, id, 'update', ifMatch)
  checkDates({ ...row, ...fields })
  const old = row.status as Status | null
  const status = given ? await statusNamed(ctx, 'milestones', given) : undefined
  const isOther = status && status.id !== old?.id
  const set = isOther ? withStatus(ctx, status) : {}
  const after = await update(ctx, Milestone, id, fields, { set })
  if (isOther && status.category === 'completed' && old?.category !== 'completed') {
    ctx.emit({
      type: 'milestone_completed',
      title: 'Milestone completed',
      module_id: Milestone.number,
      reference_id: id,
      project_id: row.project_id,
      changes: [{ field: 'status', from: old, to: shownStatus(status) }],
      data: await after.json(),
      version: after.version,
      raw_description: { action: 'updated', module: 'milestones', name: row.name },
    })
  }
  return after
}

function withStatus(ctx: Context, { id, category }: Status) {
  return {
    status_id: id,
    completed_at: category === 'completed' ? ctx.now().toISOString() : null,
  }
}

/** 404 unless the milestone is the project's and seen. */
async function within(
  ctx: Context,
  { id, milestone_id }: { id: string; milestone_id: string },
  isDeleted = false,
) {
  const alive = isDeleted ? mine(ctx) : scope(ctx, Milestone, 'read')
  const found = await ctx.one(sql`select t.id from milestones t
    where ${alive} and t.id = ${milestone_id} and t.project_id = ${id}`)
  if (!found) throw notFound('Milestone')
}

async function mayChange(ctx: Context, project: string) {
  await checkReadable(ctx, ProjectOrDeal, project)
  const found = await ctx.one(sql`select t.id from projects t
    where ${scope(ctx, ProjectOrDeal, 'update')} and t.id = ${project}`)
  if (!found) throw forbidden('Your role may not change this project')
}

async function nextPosition(ctx: Context, project: string): Promise<number> {
  const row = await ctx.one<{ next: number }>(sql`
    select coalesce(max(t.position) + 1, 0)::int as next from milestones t
    where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null`)
  return row!.next
}

function checkDates({ start_date, due_date }: { [field: string]: unknown }) {
  if (start_date && due_date && String(due_date) < String(start_date)) {
    throw badField('due_date', `must not be before start_date ${String(start_date)}`)
  }
}

function bodySchema(schema: JSONSchema): JSONSchema {
  const { project_id: _, ...properties } = schema.properties as { [name: string]: JSONSchema }
  const required = ((schema.required as string[]) ?? []).filter((name) => name !== 'project_id')
  return { ...schema, properties: { ...properties, status: statusSchema }, required }
}
