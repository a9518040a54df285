import { rowsOf } from '../../kit/record/readable.ts'

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

const overdue = `(select count(*) from ${rowsOf('projects')} p
  join ${rowsOf('tasks')} k on k.organization_id = p.organization_id and k.project_id = p.id
  where p.${its.replaceAll(' and ', ' and p.')} and k.deleted_at is null and not k.is_completed
    and k.due_date < current_date)`

/**
 * Days since anything happened to the account or its projects (the latest `moved` of them);
 * since it was created otherwise.
 */
export const quietSince = (moved: string) => `extract(day from now() - coalesce(greatest(
  (select e.occurred_at from events e where e.organization_id = t.organization_id
    and e.module_id = 8 and e.reference_id = t.id order by e.id desc limit 1),
  ${moved}), t.creation_time))::integer`

const quiet = quietSince(`(select max(p.last_update_time) from ${rowsOf('projects')} p
  where p.${its.replaceAll(' and ', ' and p.')})`)

/**
 * The health of measures `h` (`overdue` tasks, `quiet` days): 100, less 5 for each overdue task (40
 * at most) and for silence, 15 after 30 days and 35 after 90.
 */
export const computed = `(100 - least(40, 5 * h.overdue)
  - case when h.quiet > 90 then 35 when h.quiet > 30 then 15 else 0 end)::integer`
const measured = `(select ${overdue} as overdue, ${quiet} as quiet offset 0) h`

export const totals = {
  currency_unit,
  total_revenue,
  total_formatted_revenue: `(${currency_unit} || ' '
    || trim(to_char(${total_revenue}, '999,999,999,999,990.00')))`,
  health_score: `coalesce(t.health_score, (select ${computed} from ${measured}))`,
  insight: `(t.insight || (select jsonb_build_object('health', jsonb_build_object(
      'score', coalesce(t.health_score, ${computed}),
      'is_set', t.health_score is not null,
      'reasons', to_jsonb(array_remove(array[
        case when h.overdue > 0 then h.overdue || ' overdue tasks' end,
        case when h.quiet > 30 then 'nothing happened for ' || h.quiet || ' days' end], null))))
    from ${measured}))`,
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
