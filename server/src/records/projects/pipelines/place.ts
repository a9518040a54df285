import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Pipeline, Stage } from '../../../model/projects/pipelines/cached.ts'
import { pipelinesOf } from '../../../model/projects/pipelines/cached.ts'

/**
 * The stage and pipeline of a deal after applying a body, or of a new deal; `now` is its present place. 400 for a
 * stage or pipeline that does not exist.
 */
export async function placeOf(
  ctx: Context,
  body: { pipeline_id?: unknown; stage_id?: unknown },
  now?: { pipeline_id: string | null; stage_id: string | null },
): Promise<{ pipeline: Pipeline; stage: Stage } | undefined> {
  const all = await pipelinesOf(ctx)
  const pipelineWord = body.pipeline_id ?? undefined
  const stageWord = body.stage_id ?? undefined
  const named = all.find(({ pipeline_id, pipeline_name }) =>
    pipelineWord === undefined
      ? pipeline_id === now?.pipeline_id
      : pipeline_id === pipelineWord || pipeline_name === pipelineWord,
  )
  if (pipelineWord !== undefined && !named) throw badField('pipeline_id', 'no such pipeline')
  if (stageWord === undefined) {
    const pipeline = named ?? (now ? undefined : all[0])
    const stays = pipeline?.stages.find(({ stage_id }) => stage_id === now?.stage_id)
    const stage = stays ?? pipeline?.stages[0]
    return pipeline && stage ? { pipeline, stage } : undefined
  }
  const isNamed = ({ stage_id, stage_key, stage_name }: Stage) =>
    [stage_id, stage_key, stage_name].includes(String(stageWord))
  const candidates = pipelineWord === undefined ? [...(named ? [named] : []), ...all] : [named]
  for (const pipeline of candidates) {
    const stage = pipeline?.stages.find(isNamed)
    if (pipeline && stage) return { pipeline, stage }
  }
  const keys = (named?.stages ?? all.flatMap(({ stages }) => stages)).map(
    ({ stage_key }) => stage_key,
  )
  throw badField('stage_id', `no such stage; stages are ${keys.join(', ')}`)
}

/**
 * A stage with its current values. Its pipeline and its stages cannot change until the transaction ends: a write
 * that changes or deletes the pipeline waits, and then sees the deal. Undefined if the pipeline is deleted.
 */
export async function heldStage(
  ctx: Context,
  { pipeline_id, stage_id }: Pick<Stage, 'pipeline_id' | 'stage_id'>,
): Promise<(Pick<Stage, 'category'> & { is_archived: boolean }) | undefined> {
  const [pipeline, stage] = await Promise.all([
    ctx.one(sql`select t.id from pipelines t
      where ${mine(ctx)} and t.id = ${pipeline_id} and t.deleted_at is null for key share`),
    ctx.one<Pick<Stage, 'category'> & { is_archived: boolean }>(sql`
      select t.category, t.is_archived from stages t where ${mine(ctx)} and t.id = ${stage_id}`),
  ])
  return pipeline && stage
}
