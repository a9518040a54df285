import type { Context } from '../../../kit/ground/context.ts'
import { pipelinesOf } from './cached.ts'

type Named = Promise<Map<string, string[]>>

/** The pipelines that words name, by id or name. */
export async function pipelinesNamed(ctx: Context, words: string[]): Named {
  const pipelines = await pipelinesOf(ctx)
  return found(
    words,
    pipelines.map(({ pipeline_id: id, pipeline_name }) => ({ id, names: [id, pipeline_name] })),
  )
}

/** The stages that words name, by id, key or name: one of each pipeline that has such a stage. */
export async function stagesNamed(ctx: Context, words: string[]): Named {
  const stages = (await pipelinesOf(ctx)).flatMap((pipeline) => pipeline.stages)
  return found(
    words,
    stages.map(({ stage_id: id, stage_key, stage_name }) => ({
      id,
      names: [id, stage_key, stage_name],
    })),
  )
}

function found(words: string[], all: { id: string; names: string[] }[]) {
  const fold = (text: string) => text.trim().toLowerCase()
  const ids = words.map((word): [string, string[]] => {
    const its = all.filter(({ names }) => names.some((name) => fold(name) === fold(word)))
    return [word, its.map(({ id }) => id)]
  })
  return new Map(ids.filter(([, its]) => its.length))
}
