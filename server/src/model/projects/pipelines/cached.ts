import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'

/** A stage of a pipeline; `category` is open, won or lost, `probability` is per cent. */
export type Stage = {
  stage_id: string
  pipeline_id: string
  stage_key: string
  stage_name: string
  category: 'open' | 'won' | 'lost'
  probability: number
  color: string | null
  icon: string | null
  position: number
  /** fields that a deal needs to go on to it */
  required_fields: string[]
}

export type Pipeline = {
  pipeline_id: string
  pipeline_name: string
  description: string | null
  is_default: boolean
  position: number
  stages: Stage[]
}

/** The organization's pipelines with their stages, in their order. */
export function pipelinesOf(ctx: Context): Promise<Pipeline[]> {
  return ctx.cached('pipelines', async (committed) => {
    const [pipelines, stages] = await Promise.all([
      committed.all<Omit<Pipeline, 'stages'>>(sql`
        select id as pipeline_id, pipeline_name, description, is_default, position
        from pipelines t where ${mine(ctx)} and deleted_at is null
        order by is_default desc, position, id`),
      committed.all<Stage>(sql`
        select id as stage_id, pipeline_id, stage_key, stage_name, category, probability, color,
          icon, position, required_fields
        from stages t where ${mine(ctx)} and not is_archived order by position, id`),
    ])
    return pipelines.map((pipeline) => ({
      ...pipeline,
      stages: stages.filter(({ pipeline_id }) => pipeline_id === pipeline.pipeline_id),
    }))
  })
}
