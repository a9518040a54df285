import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { definitions, sumOf, valueOfDeal } from '../../model/money/money.ts'
import { pipelinesNamed } from '../../model/projects/pipelines/named.ts'
import { organizationCurrency, pricedDeals } from './priced.ts'

const readable = 'as far as the caller may read them'
const sums = (which: string) => ({
  deals: Type.Integer({
    description: `The number of open deals expected in the month${which}, ${readable}.`,
  }),
  value: Type.Number({
    description: `${definitions.open_pipeline} of the month${which}, ${readable}.`,
  }),
  weighted: Type.Number({
    description: `${definitions.weighted_pipeline}, of the month${which}, ${readable}.`,
  }),
})
const currency_unit = Type.String({ maxLength: 3 })

const amounts = { currency_unit, ...sums(' in the currency') }
const inMain = sums('')
const month = Type.Object(
  {
    month: orNull(Type.String({ description: 'YYYY-MM; null without a date' })),
    deals: inMain.deals,
    currency_unit,
    value: amounts.value,
    weighted: amounts.weighted,
    by_currency: Type.Array(Type.Object(amounts), {
      description: 'The sums of the month in each currency of its deals.',
    }),
  },
  { title: 'ForecastMonth' },
)

type Amounts = Static<TObject<typeof amounts>>

/** The value of open deals by the month in which they are expected. */
export const forecast = operation({
  name: 'read_forecast',
  summary: "Retrieve the organization's sales forecast",
  description:
    'The value of open deals by month, weighted by the probability of their stage, in the ' +
    `organization's currency; deals in others are in \`by_currency\`. ${valueOfDeal}`,
  can: { module: 'deals', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { query: Type.Object({ pipeline_id: Type.Optional(idInQuery('by id or name')) }) },
  output: arrayOf(month),
  async run(ctx, { query: { pipeline_id } }) {
    if (!pipeline_id) return forecastOf(ctx, undefined)
    const [id] = (await pipelinesNamed(ctx, [pipeline_id])).get(pipeline_id) ?? []
    if (id === undefined) throw notFound('Pipeline')
    return forecastOf(ctx, id)
  },
})

async function forecastOf(ctx: Context, pipeline_id: string | undefined) {
  const currency = await organizationCurrency(ctx)
  const where = pipeline_id ? sql`t.pipeline_id = ${pipeline_id}` : undefined
  const rows = await ctx.all<Amounts & { month: string | null }>(sql`
    select to_char(d.expected, 'YYYY-MM') as month, d.currency_unit, count(*)::int as deals,
      ${sql.raw(sumOf('d.value'))} as value, ${sql.raw(sumOf('d.value * d.chance'))} as weighted
    from (${pricedDeals(ctx, { currency, where })}) d
    where d.category = 'open' group by 1, 2 order by 1, 2`)
  const months = [...new Set(rows.map((row) => row.month))]
  return months.map((each) => {
    const by_currency = rows
      .filter((row) => row.month === each)
      .map(({ month: _month, ...row }) => row)
    const main = by_currency.find(({ currency_unit: unit }) => unit === currency)
    const deals = by_currency.reduce((count, row) => count + row.deals, 0)
    const { value = 0, weighted = 0 } = main ?? {}
    return { month: each, deals, currency_unit: currency, value, weighted, by_currency }
  })
}
