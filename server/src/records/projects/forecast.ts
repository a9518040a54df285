import { Type } from 'typebox'
import type { Static } from 'typebox'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { pipelinesOf } from './pipelines/cached.ts'
import { Deal } from './project.ts'

const month = Type.Object(
  {
    month: orNull(Type.String({ description: 'YYYY-MM; null without a date' })),
    deals: Type.Integer({ description: 'how many are expected in the month' }),
    value: Type.Number(),
    weighted: Type.Number({ description: 'weighted by the probability of their stages' }),
  },
  { title: 'ForecastMonth' },
)

/** The value of open deals by the month in which they are expected. */
export const forecast = operation({
  name: 'read_forecast',
  summary: "Retrieve the organization's sales forecast",
  description: 'The value of open deals by month, weighted by the probability of their stage.',
  can: { module: 'deals', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { query: Type.Object({ pipeline_id: Type.Optional(Type.String({ maxLength: 25 })) }) },
  output: arrayOf(month),
  async run(ctx, { query: { pipeline_id } }) {
    const pipelines = await pipelinesOf(ctx)
    if (pipeline_id && !pipelines.some((each) => each.pipeline_id === pipeline_id)) {
      throw notFound('Pipeline')
    }
    return ctx.all<Static<typeof month>>(sql`
      select to_char(coalesce(t.forecasted_date, t.due_date), 'YYYY-MM') as month,
        count(*)::int as deals,
        coalesce(sum(coalesce(t.expected_deal_value, t.revenue)), 0)::float8 as value,
        coalesce(sum(coalesce(t.expected_deal_value, t.revenue) * s.probability / 100.0), 0)::float8
          as weighted
      from projects t
      join stages s on s.organization_id = t.organization_id and s.id = t.stage_id
      where ${scope(ctx, Deal, 'read')} and s.category = 'open'
        ${pipeline_id ? sql`and t.pipeline_id = ${pipeline_id}` : sql``}
      group by 1 order by 1`)
  },
})
