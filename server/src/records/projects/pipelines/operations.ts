import { Type } from 'typebox'
import { crud } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, forbidden } from '../../../kit/ground/errors.ts'
import { extend, requiring, without } from '../../../kit/ground/json-schema.ts'
import type { Action, Can } from '../../../kit/ground/operation.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { mayAll } from '../../../kit/record/scope.ts'
import { insert, lock, remove, restore, update, written } from '../../../kit/write/write.ts'
import { clearDefault } from '../../../kit/write/default-mark.ts'
import { Pipeline } from '../../../model/projects/pipelines/pipeline.ts'
import { defaultStages, mostStages, mustBeEmpty, setStages, stageInput } from './stages.ts'

const plain = crud(Pipeline)
const may = (action: Action): Can => ({ module: 'deals', action })

/** Stages of a body are merged by id or key, and get its order if it names them all. */
const stagesOf = (stage: typeof stageInput) => ({
  stages: Type.Optional(Type.Array(stage, { minItems: 1, maxItems: mostStages })),
})

/** Pipelines and their stages, as data of the organization. */
export const pipelines = {
  list: operation({
    ...plain.list,
    can: may('read'),
    input: { query: without(plain.list.input.query, 'filter', 'filter_id') },
  }),
  read: operation({ ...plain.read, can: may('read') }),
  create: operation({
    ...plain.create,
    can: may('update'),
    input: { body: extend(plain.create.input.body, stagesOf(requiring(stageInput, 'stage_name'))) },
    async run(ctx, { body: { stages = defaultStages, ...body } }) {
      mayEdit(ctx)
      await checkNameFree(ctx, body.pipeline_name)
      if (body.is_default) await clearDefault(ctx, Pipeline, sql`true`)
      const created = await insert(ctx, Pipeline, body, {
        along: (id) => setStages(ctx, id, stages),
      })
      ctx.forget()
      return written(created)
    },
  }),
  update: operation({
    ...plain.update,
    can: may('update'),
    input: { ...plain.update.input, body: extend(plain.update.input.body, stagesOf(stageInput)) },
    async run(ctx, { params, body: { stages, ...body }, ifMatch }) {
      const locked = await lock(ctx, Pipeline, params.id, 'update', ifMatch)
      const { row } = locked
      if (body.pipeline_name) await checkNameFree(ctx, body.pipeline_name, params.id)
      if (row.is_default && body.is_default === false) {
        throw badField('is_default', 'make another pipeline the default instead')
      }
      if (body.is_default && !row.is_default) await clearDefault(ctx, Pipeline, sql`true`)
      const changes = stages ? await setStages(ctx, params.id, stages) : []
      ctx.forget()
      return written(await update(ctx, locked, body, { also: changes }))
    },
  }),
  remove: operation({
    ...plain.remove,
    can: may('update'),
    async run(ctx, { params, ifMatch }) {
      const { row } = await lock(ctx, Pipeline, params.id, 'delete', ifMatch)
      if (row.is_default) throw conflict('The default pipeline cannot be deleted')
      await mustBeEmpty(ctx, sql`t.pipeline_id = ${params.id}`, 'This pipeline')
      ctx.forget()
      return remove(ctx, Pipeline, params.id)
    },
  }),
  restore: operation({
    ...plain.restore,
    can: may('update'),
    async run(ctx, { params }) {
      ctx.forget()
      return written(await restore(ctx, Pipeline, params.id))
    },
  }),
}

async function checkNameFree(ctx: Context, name: string, except = '') {
  const taken = await ctx.one<{ id: string }>(sql`select t.id from pipelines t
    where ${mine(ctx)} and lower(t.pipeline_name) = lower(${name}::text) and t.deleted_at is null
      and t.id <> ${except}`)
  if (!taken) return
  throw conflict('A pipeline with this name already exists', 'duplicate', { pipeline_id: taken.id })
}

function mayEdit({ actor }: Context) {
  if (!mayAll(actor, 'deals', 'update')) {
    throw forbidden('Only a role that may update all deals may change pipelines')
  }
}
