import type { Context, Queries } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** A stage of a pipeline; `category` says what it means for the deal, `probability` is per cent. */
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
          icon, position
        from stages t where ${mine(ctx)} and not is_archived order by position, id`),
    ])
    return pipelines.map((pipeline) => ({
      ...pipeline,
      stages: stages.filter(({ pipeline_id }) => pipeline_id === pipeline.pipeline_id),
    }))
  })
}

/** Where a deal stands after a body: 400 for a stage or pipeline that is not there. */
export async function placeOf(
  ctx: Context,
  body: { pipeline_id?: unknown; stage_id?: unknown },
  now?: { pipeline_id: string | null; stage_id: string | null },
): Promise<{ pipeline: Pipeline; stage: Stage } | undefined> {
  const all = await pipelinesOf(ctx)
  const stageWord = body.stage_id ?? undefined
  const wanted = body.pipeline_id ?? undefined
  let pipeline = all.find(({ pipeline_id, pipeline_name }) =>
    wanted === undefined
      ? pipeline_id === now?.pipeline_id
      : pipeline_id === wanted || pipeline_name === wanted,
  )
  if (wanted !== undefined && !pipeline) throw badField('pipeline_id', 'no such pipeline')
  if (stageWord === undefined) {
    pipeline ??= now ? undefined : all[0]
    const stays = pipeline?.stages.find(({ stage_id }) => stage_id === now?.stage_id)
    const stage = stays ?? pipeline?.stages[0]
    return pipeline && stage ? { pipeline, stage } : undefined
  }
  const isIt = ({ stage_id, stage_key, stage_name }: Stage) =>
    [stage_id, stage_key, stage_name].includes(String(stageWord))
  const holder = pipeline ?? all.find(({ stages }) => stages.some(isIt))
  const stage = (wanted === undefined && !holder?.stages.some(isIt) ? all : [holder])
    .flatMap((each) => each?.stages ?? [])
    .find(isIt)
  if (!stage) {
    const names = (holder?.stages ?? all.flatMap(({ stages }) => stages)).map(
      ({ stage_key }) => stage_key,
    )
    throw badField('stage_id', `no such stage; stages are ${names.join(', ')}`)
  }
  const its = all.find(({ pipeline_id }) => pipeline_id === stage.pipeline_id)!
  return { pipeline: its, stage }
}

type Seed = [
  key: string,
  name: string,
  category: Stage['category'],
  probability: number,
  color: string,
]

const seeds: Seed[] = [
  ['qualification', 'Qualification', 'open', 10, '#94A3B8'],
  ['discovery', 'Discovery', 'open', 25, '#60A5FA'],
  ['proposal', 'Proposal', 'open', 50, '#3B82F6'],
  ['negotiation', 'Negotiation', 'open', 75, '#F59E0B'],
  ['closed_won', 'Closed won', 'won', 100, '#22C55E'],
  ['closed_lost', 'Closed lost', 'lost', 0, '#EF4444'],
]

/** The deal pipeline that a fresh organization starts with. */
export async function seedPipeline(queries: Queries, organization_id: string): Promise<void> {
  const pipeline = newId()
  await queries.run(sql`insert into pipelines (organization_id, id, pipeline_name, is_default)
    values (${organization_id}, ${pipeline}, 'Sales', true)`)
  const rows = seeds.map(
    ([key, name, category, probability, color], position) => sql`(${organization_id}, ${newId()},
      ${pipeline}, ${key}, ${name}, ${category}, ${probability}, ${color}, ${position})`,
  )
  await queries.run(sql`insert into stages (organization_id, id, pipeline_id, stage_key, stage_name,
    category, probability, color, position) values ${sql.join(rows)}`)
}
