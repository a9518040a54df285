import { formattedAmount } from '../money/currency.ts'
import { rowsOf } from '../../kit/record/readable.ts'
import type { SharedRows } from '../../kit/record/record.ts'
import { health as rows } from '../health/inputs.ts'
import { dealSums, worthOf } from '../money/money.ts'

/**
 * The computed fields of an account, as SQL over its alias `t`: one place for everything that belongs to
 * it. Each is a few index look-ups per account, so a page of accounts stays cheap; what several fields
 * need is looked up once for all of them.
 */

const its = `organization_id = $organization and account_id = t.id and deleted_at is null`

const currency_unit = `coalesce(t.currency_unit, (select o.currency_unit from organizations o
  where o.organization_id = $organization))`

const sums = Object.entries(dealSums)
const { category, value, chance } = worthOf('p')

/** The sums in one currency, and the number of projects and deals in it. */
const byCurrency = `select d.currency_unit,
    count(*) filter (where d.project_type = 'project') as projects,
    count(*) filter (where d.project_type = 'project' and d.is_completed) as completed_projects,
    count(*) filter (where d.project_type = 'deal') as deals,
    count(*) filter (where d.project_type = 'deal' and d.category = 'won') as completed_deals,
    ${sums.map(([name, sum]) => `${sum} as ${name}`).join(', ')}
  from (
    select p.project_type, done.category = 'completed' as is_completed, coalesce(p.currency_unit, own.currency_unit) as currency_unit,
      ${chance} as chance,
      case when p.project_type = 'deal' then ${category} end as category, ${value} as value
    from ${rowsOf('projects')} p
    left join stages s on s.organization_id = $organization and s.id = p.stage_id
    left join statuses done on done.organization_id = $organization and done.id = p.status_id
    where p.${its.replaceAll(' and ', ' and p.')}
  ) d group by 1`

/** The totals of an account, in one pass over its projects and deals: a read joins it once. */
export const money: SharedRows = {
  name: 'money',
  rows: `select own.currency_unit,
      ${['projects', 'deals', 'completed_projects', 'completed_deals']
        .map((name) => `coalesce(sum(c.${name}), 0)::integer as ${name}`)
        .join(', ')},
      ${sums
        .map(
          ([
            name,
          ]) => `coalesce(sum(c.${name}) filter (where c.currency_unit = own.currency_unit), 0)
            as ${name}`,
        )
        .join(', ')},
      coalesce(jsonb_agg(jsonb_build_object('currency_unit', c.currency_unit, 'deals', c.deals,
          ${sums.map(([name]) => `'${name}', c.${name}`).join(', ')}) order by c.currency_unit)
        filter (where c.deals > 0), '[]') as by_currency
    from (select ${currency_unit} as currency_unit offset 0) own
    left join lateral (${byCurrency}) c on true
    group by own.currency_unit`,
}

const total_revenue = 'coalesce(t.total_revenue, money.total_revenue)'

/** The inputs of the health and the results, computed once per read. */
export const health: SharedRows = { name: 'health', rows }

export const totals = {
  currency_unit,
  total_revenue,
  total_formatted_revenue: formattedAmount(total_revenue, 'money.currency_unit'),
  health_score: `coalesce(t.health_score, health.score)`,
  insight: `t.insight || jsonb_build_object('health', jsonb_build_object(
      'score', coalesce(t.health_score, health.score), 'is_set', t.health_score is not null,
      'reasons', health.reasons, 'inputs', health.inputs))`,
  linked_projects: `(select coalesce(jsonb_agg(jsonb_build_object('project_id', p.id,
      'project', p.project_name, 'project_type', p.project_type) order by p.id), '[]')
    from (select id, project_name, project_type from ${rowsOf('projects')} x
      where ${its} order by id limit 500) p)`,
}
