import type { Queries } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Stage } from '../../../model/projects/pipelines/cached.ts'

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

/** The deal pipeline of a new organization. */
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
