import type { Context } from '../../../kit/ground/context.ts'
import { idsNamed } from '../../../kit/read/named-values.ts'
import { pipelinesOf } from './cached.ts'

type Named = Promise<Map<string, string[]>>

/** The pipelines with these ids or names. */
export async function pipelinesNamed(ctx: Context, words: string[]): Named {
  const pipelines = await pipelinesOf(ctx)
  return idsNamed(
    words,
    pipelines.map(({ pipeline_id: id, pipeline_name }) => ({ id, names: [id, pipeline_name] })),
  )
}

/** The stages with these ids, keys or names: one for each pipeline that has such a stage. */
export async function stagesNamed(ctx: Context, words: string[]): Named {
  const stages = (await pipelinesOf(ctx)).flatMap((pipeline) => pipeline.stages)
  return idsNamed(
    words,
    stages.map(({ stage_id: id, stage_key, stage_name }) => ({
      id,
      names: [id, stage_key, stage_name],
    })),
  )
}

/** The names of pipelines. */
export async function pipelineNames(ctx: Context): Promise<string[]> {
  return (await pipelinesOf(ctx)).map((pipeline) => pipeline.pipeline_name)
}

/** The keys and names of stages. */
export async function stageNames(ctx: Context): Promise<string[]> {
  const stages = (await pipelinesOf(ctx)).flatMap((pipeline) => pipeline.stages)
  return stages.flatMap(({ stage_key, stage_name }) => [stage_key, stage_name])
}
