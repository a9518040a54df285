import type { Context } from '../../kit/ground/context.ts'
import { crud, pageQuery } from '../../kit/crud.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { createSchema, readSchema, updateSchema } from '../../kit/record/schema.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { checkReadable, readOne, remove, restore } from '../../kit/write/write.ts'
import { convertDeal, duplicateProject } from './carry.ts'
import { createProject } from './create.ts'
import { follow } from './follow.ts'
import { accountSchema, extraProperties, typeOf } from './input.ts'
import { typeOfId } from './move.ts'
import { ProjectOrDeal, recordOfType, ShownProject } from './project.ts'
import { updateProject } from './update.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

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
    run: async (ctx: Context, { params, body, ifMatch }: Input) =>
      shown(ctx, await updateProject(ctx, params.id, body, ifMatch)),
  } satisfies Operation,
  remove: {
    ...plain.remove,
    can: may('delete'),
    async run(ctx: Context, { params, ifMatch }: Input) {
      const answer = await remove(
        ctx,
        recordOfType(await typeOfId(ctx, params.id)),
        params.id,
        ifMatch,
      )
      await follow(ctx, 'project_id', params.id, { from: null, to: ctx.now().toISOString() })
      return answer
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    can: may('delete'),
    async run(ctx: Context, { params }: Input) {
      const found = await ctx.one<{ project_type: string; deleted_at: string | null }>(sql`
        select project_type, deleted_at from projects t where ${mine(ctx)} and t.id = ${params.id}`)
      const record = recordOfType(found?.project_type ?? '')
      // first, so that what is told of the project counts them
      if (found) await follow(ctx, 'project_id', params.id, { from: found.deleted_at, to: null })
      return shown(ctx, await restore(ctx, record, params.id))
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
    aliases: { name: 'project_name' },
    output: shape,
    run: async (ctx: Context, { params, body }: Input) =>
      shown(ctx, await duplicateProject(ctx, params.id, body)),
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
    aliases: { name: 'project_name' },
    output: shape,
    run: async (ctx: Context, { params, body }: Input) =>
      shown(ctx, await convertDeal(ctx, params.id, body)),
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
      await checkReadable(ctx, ProjectOrDeal, params.id)
      return ctx.all(sql`
        select c.stage_id, s.stage_name, s.category, c.lost_reason, c.changed_by, c.entered_at,
          c.left_at, extract(epoch from coalesce(c.left_at, ${ctx.now().toISOString()}::timestamptz)
            - c.entered_at)::integer as duration
        from stage_changes c
        join stages s on s.organization_id = c.organization_id and s.id = c.stage_id
        where ${mine(ctx, 'c')} and c.project_id = ${params.id} order by c.id`)
    },
  } satisfies Operation,
}

/** The record as the application surface shows it, after a write. */
function shown(ctx: Context, { id, version }: Written): Answer {
  return new Answer(async () => (await readOne(ctx, ShownProject, id)).body, { id, version })
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
