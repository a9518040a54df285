import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { pipelinesOf } from './pipeline.ts'
import { Deal } from './project.ts'

/** What open deals promise, by the month in which they are expected. */
export const forecast = {
  name: 'read_forecast',
  summary: 'What open deals promise, by month, weighted by the probability of their stage',
  can: { module: 'deals', action: 'read' },
  writes: false,
  input: {
    query: { type: 'object', properties: { pipeline_id: { type: 'string', maxLength: 25 } } },
  },
  output: arrayOf({
    type: 'object',
    properties: {
      month: { type: ['string', 'null'], description: 'YYYY-MM; null without a date' },
      deals: { type: 'integer' },
      value: { type: 'number' },
      weighted: { type: 'number' },
    },
    required: ['month', 'deals', 'value', 'weighted'],
  }),
  async run(ctx: Context, { query }: Input) {
    const { pipeline_id } = query
    const known = await pipelinesOf(ctx)
    if (pipeline_id && !known.some((each) => each.pipeline_id === pipeline_id)) {
      throw notFound('Pipeline')
    }
    return ctx.all(sql`
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
} satisfies Operation
