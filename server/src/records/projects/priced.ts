import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { worthOf } from '../../model/money/money.ts'
import { Deal } from '../../model/projects/project.ts'

/** The currency of amounts if neither the deal nor its account has one. */
export function organizationCurrency(ctx: Context): Promise<string> {
  return ctx.cached('currency of the organization', async (committed) => {
    const found = await committed.one<{ currency_unit: string }>(
      sql`select t.currency_unit from organizations t where ${mine(ctx)}`,
    )
    return found?.currency_unit ?? 'USD'
  })
}

type Priced = {
  /** the organization's currency */
  currency: string
  /** over `t` */
  where?: Query
  /** joins before the stage, and the stage that replaces the current one */
  join?: Query
  stage_id?: Query
  /** further columns, beginning with a comma */
  more?: Query
}

/**
 * The deals that the caller may read as a select with `category`, `value`, `chance` and `currency_unit`:
 * what every sum over deals is computed from.
 */
export function pricedDeals(
  ctx: Context,
  { currency, where, join = sql``, stage_id = sql`t.stage_id`, more = sql`` }: Priced,
): Query {
  const { category, value, chance } = worthOf('t')
  return sql`select t.id, t.pipeline_id, t.closed_at, t.lost_reason, ${stage_id} as stage_id,
      coalesce(t.forecasted_date, t.due_date) as expected, ${sql.raw(category)} as category,
      ${sql.raw(value)} as value, ${sql.raw(chance)} as chance,
      coalesce(t.currency_unit, a.currency_unit, ${currency}) as currency_unit ${more}
    from projects t ${join}
    left join stages s on ${mine(ctx, 's')} and s.id = ${stage_id}
    left join (
      select a.id, a.currency_unit from accounts a where ${mine(ctx, 'a')} and a.currency_unit is not null
    ) a on a.id = t.account_id
    where ${all(scope(ctx, Deal, 'read'), where)}`
}
