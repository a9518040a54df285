import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Deal } from '../../model/projects/project.ts'

/** Fewer stays in a stage than this say nothing of what is usual. */
const fewest = 3

const figures = Type.Object(
  {
    stage_age_days: orNull(
      Type.Integer({ description: 'whole days in its stage; null for a closed deal' }),
    ),
    stage_usual_days: orNull(
      Type.Integer({
        description: `the median of the stays in this stage that have ended, in days; null below ${fewest}`,
      }),
    ),
    close_date_moves: Type.Integer({ description: 'how often the expected day was changed' }),
    close_date_days: orNull(
      Type.Integer({ description: 'days from the first expected day to the present one' }),
    ),
  },
  { title: 'DealFigures' },
)

/** How long a deal is in its stage, beside what is usual, and how its expected day has slipped. */
export const dealFigures = operation({
  name: 'read_deal_figures',
  summary: 'Retrieve how a deal has moved',
  description: 'The median counts the deals that the caller may read.',
  can: { module: 'deals', action: 'read' },
  writes: false,
  input: { params: byId },
  output: figures,
  async run(ctx, { params: { id } }) {
    await checkReadable(ctx, Deal, id)
    const now = ctx.now().toISOString()
    const found = await ctx.one<Static<typeof figures>>(sql`
      with moved as (
        select e.id, (c.value ->> 'from')::date as was
        from events e
        cross join json_array_elements(e.changes) c
        where ${mine(ctx, 'e')} and e.module_id = ${Deal.number} and e.reference_id = ${id}
          and json_typeof(e.changes) = 'array' and c.value ->> 'field' = 'forecasted_date'
          and c.value ->> 'from' is not null
      ),
      stays as (
        select extract(epoch from c.left_at - c.entered_at) / 86400 as days
        from stage_changes c
        join ${readableRows(ctx, 'projects')} t on ${mine(ctx)} and t.id = c.project_id
          and t.deleted_at is null and t.project_type = 'deal'
        where ${mine(ctx, 'c')} and c.left_at is not null
          and c.stage_id = (select d.stage_id from projects d where ${mine(ctx, 'd')} and d.id = ${id})
      )
      select
        case when t.closed_at is null then floor(greatest(0,
          extract(epoch from ${now}::timestamptz - t.stage_entered_at) / 86400))::integer
        end as stage_age_days,
        (select round(percentile_cont(0.5) within group (order by days))::integer from stays
          having count(*) >= ${fewest}) as stage_usual_days,
        (select count(*)::integer from moved) as close_date_moves,
        t.forecasted_date - (select was from moved order by id limit 1) as close_date_days
      from projects t where ${mine(ctx)} and t.id = ${id}`)
    return found ?? none
  },
})

const none = {
  stage_age_days: null,
  stage_usual_days: null,
  close_date_moves: 0,
  close_date_days: null,
}
