import { rowsOf } from '../../kit/record/readable.ts'
import { health } from '../health/inputs.ts'

/**
 * What an account's reads compute, as SQL over its alias `t`: one place for everything that belongs to
 * it. Each is a few index look-ups for one account, so a page of them stays cheap.
 */

const its = `organization_id = t.organization_id and account_id = t.id and deleted_at is null`

const currency_unit = `coalesce(t.currency_unit, (select o.currency_unit from organizations o
  where o.organization_id = t.organization_id))`

/** What was set, else the sum over its projects and those deals that were not lost. */
const total_revenue = `coalesce(t.total_revenue, (
  select coalesce(sum(coalesce(p.revenue, p.expected_deal_value)), 0) from ${rowsOf('projects')} p
  left join stages s on s.organization_id = p.organization_id and s.id = p.stage_id
  where p.${its.replaceAll(' and ', ' and p.')} and coalesce(s.category, 'open') <> 'lost'))`

export const totals = {
  currency_unit,
  total_revenue,
  total_formatted_revenue: `(${currency_unit} || ' '
    || trim(to_char(${total_revenue}, '999,999,999,999,990.00')))`,
  health_score: `coalesce(t.health_score, (select health.score from (${health}) health))`,
  insight: `(t.insight || (select jsonb_build_object('health', jsonb_build_object(
      'score', coalesce(t.health_score, health.score), 'is_set', t.health_score is not null,
      'reasons', health.reasons, 'inputs', health.inputs)) from (${health}) health))`,
  linked_projects: `(select coalesce(jsonb_agg(jsonb_build_object('project_id', p.id,
      'project', p.project_name, 'project_type', p.project_type) order by p.id), '[]')
    from (select id, project_name, project_type from ${rowsOf('projects')} x
      where ${its} order by id limit 500) p)`,
  /** How many projects or deals; `done` counts completed projects and won deals. */
  count: (type: 'project' | 'deal', done = false) => `(select count(*) from ${rowsOf('projects')} p
    ${done && type === 'deal' ? `join stages s on s.organization_id = p.organization_id and s.id = p.stage_id and s.category = 'won'` : ''}
    where p.${its.replaceAll(' and ', ' and p.')} and p.project_type = '${type}'
      ${done && type === 'project' ? 'and p.completed_at is not null' : ''})`,
}
