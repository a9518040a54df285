import { formattedAmount } from '../money/currency.ts'
import { inPlace } from '../../kit/record/rank.ts'
import { openRowsOf, readsInternalHere, rowsOf } from '../../kit/record/readable.ts'
import { todayHere } from '../time/today.ts'
import { currencyOf } from '../money/money.ts'
import { somethingOpen } from './open-milestone.ts'

/**
 * The computed fields of a project or deal, as SQL over its alias `t`: each a few index look-ups for
 * one row, so that a page of them stays cheap and no query is sent per row.
 */

const here = 'organization_id = $organization'
const its = `${here} and project_id = t.id and deleted_at is null`

const currency = currencyOf('t')

const money = (amount: string) =>
  `case when ${amount} is not null then ${formattedAmount(amount, currency)} end`

const stage = (alias: string) => `jsonb_build_object('stage_id', ${alias}.id, 'id', ${alias}.id,
  'name', ${alias}.stage_name, 'stage_name', ${alias}.stage_name, 'stage_key', ${alias}.stage_key,
  'category', ${alias}.category, 'probability', ${alias}.probability, 'color', ${alias}.color,
  'position', ${alias}.position)`

const pipelineStages = `(select coalesce(jsonb_agg(${stage('s')} order by s.position, s.id), '[]')
  from stages s where s.${here} and s.pipeline_id = t.pipeline_id and not s.is_archived)`

const progress = `coalesce(round(100.0 * count(*) filter (where k.is_completed)
  / nullif(count(*), 0)), 0)::integer`

const overdue = `count(*) filter (where not k.is_completed and k.due_date < ${todayHere})::integer`

/** 100 when everything is done; else the progress minus 5 for each overdue task (at most 50). */
const score = `greatest(0, ${progress} - least(50, 5 * ${overdue}))::integer`

/** Sums over the tasks of the row, in one pass. */
const ofTasks = (sums: string) => `(select ${sums} from ${rowsOf('tasks')} k where k.${its})`

export const shown = {
  currency,
  project_type_str: `case when t.project_type = 'deal' then 'Deal' else 'Project' end`,
  project_score: ofTasks(score),
  tasks_count: ofTasks('count(*)'),
  open_tasks_count: ofTasks('count(*) filter (where not k.is_completed)'),
  milestones_count: `(select count(*) from ${rowsOf('milestones')} m where m.${its})`,
  calculated_revenue: `coalesce(t.revenue, t.expected_deal_value, 0) + coalesce(t.other_revenue, 0)`,
  formatted_revenue: money('t.revenue'),
  formatted_deal_value: money('t.expected_deal_value'),
  formatted_other_revenue: money('t.other_revenue'),
  template_name: `(select x.template_name from ${rowsOf('templates')} x where x.${here} and x.id = t.template_id)`,
  template_desc: `(select x.description from ${rowsOf('templates')} x where x.${here} and x.id = t.template_id)`,
  pipeline_stages: `case when t.pipeline_id is null then '[]'::jsonb else ${pipelineStages} end`,
  /** for a deal those of its pipeline, for a project its milestones except private ones */
  stages: `case when t.pipeline_id is not null and ${readsInternalHere()} then ${pipelineStages}
    else (select coalesce(jsonb_agg(jsonb_build_object('stage_id', m.id, 'name', m.name,
        'status', (select jsonb_build_object('status_id', s.id, 'status_key', s.status_key,
          'status_name', s.status_name) from statuses s where s.${here} and s.id = m.status_id))
        order by ${inPlace('m')}, m.id), '[]')
      from ${rowsOf('milestones')} m where m.${its} and not m.is_private) end`,
  current_stage: `(select case when t.stage_id is not null and ${readsInternalHere()} then
      (select ${stage('s')} from stages s where s.${here} and s.id = t.stage_id)
    else (select jsonb_build_object('stage_id', m.id, 'name', m.name) from ${rowsOf('milestones')} m
      where m.${its} and not m.is_private and m.completed_at is null
      order by ${inPlace('m')}, m.id limit 1) end)`,
  current_pipe_stage: `(select ${stage('s')} from stages s where s.${here} and s.id = t.stage_id)`,
  milestone_status: `(select jsonb_build_object('total', count(*),
      'completed', count(*) filter (where m.completed_at is not null),
      'overdue', count(*) filter (where m.due_date < ${todayHere} and ${somethingOpen('m')}))
    from ${rowsOf('milestones')} m where m.${its})`,
  insights: ofTasks(`jsonb_build_object('progress', ${progress}, 'overdue_tasks', ${overdue},
    'score', ${score})`),
  recent_activities: `(select coalesce(jsonb_agg(jsonb_build_object('title', e.title,
      'actor_name', e.actor_name, 'type', e.type,
      'creation_time', to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      order by e.id desc), '[]')
    from (select * from ${rowsOf('events')} e where ${here} and project_id = t.id order by id desc limit 5) e)`,
  /** days until the due date, negative once it has passed */
  time_left: `case when t.completed_at is null
      and (t.closed_at is null or not ${readsInternalHere()})
    then t.due_date - ${todayHere} end`,
  /** seconds on the tasks' timers */
  time_spent: ofTasks('coalesce(sum(k.total_elapsed_time), 0)::integer'),
  project_team: `(select coalesce(jsonb_agg(jsonb_build_object('user_id', u.id,
      'full_name', u.full_name, 'email', u.email, 'role', coalesce(m.role, r.role_name),
      'profile_image', u.profile_image) order by m.creation_time, u.id), '[]')
    from project_members m
    join ${openRowsOf('users')} u on u.organization_id = $organization and u.id = m.user_id
    join ${openRowsOf('roles')} r on r.organization_id = $organization and r.id = u.role_id
    where m.${here} and m.project_id = t.id)`,
  account: `(select jsonb_build_object('account_id', a.id, 'account_name', a.account_name)
    from ${rowsOf('accounts')} a where a.${here} and a.id = t.account_id)`,
  /** custom fields as the application surface shows them, an array; only these keys */
  custom_fields: (only?: string) => `(select coalesce(jsonb_agg(jsonb_build_object('key', c.key,
      'label', coalesce(f.label, c.key), 'type', coalesce(f.type, 'text'), 'value', c.value)
      order by f.position, c.key), '[]')
    from jsonb_each(t.custom_fields) c
    left join field_definitions f on f.${here} and f.module = t.project_type || 's' and f.key = c.key
    ${only ? `where c.key in (${only})` : ''})`,
}

const ofStage = (column: string) =>
  `(select s.${column} from stages s where s.${here} and s.id = t.stage_id)`
const named = { kind: 'text', sql: ofStage('stage_name') } as const
const categorized = {
  kind: 'text' as const,
  sql: ofStage('category'),
  words: ['open', 'won', 'lost'],
}

/** The fields of a deal's stage for filters. */
export const stageFilters = {
  stage_name: named,
  stage_category: categorized,
  'current_pipe_stage.stage_name': named,
  'current_pipe_stage.category': categorized,
}
