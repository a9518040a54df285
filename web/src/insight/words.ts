import type { WidgetType } from '../data/dashboards.ts'
import { capital } from '../ui/capital.ts'

/** What widgets are called, by their type. */
export const widgetNames: { [type in WidgetType]: string } = {
  activities: 'Activity',
  deals_by_stage: 'Deals by stage',
  deal_funnel: 'Deals through the stages',
  revenue_forecast: 'Won and expected',
  deals_won_lost: 'Won and lost',
  projects_by_status: 'Projects by status',
  tasks_by_status: 'Tasks by status',
  overdue_tasks: 'Overdue tasks',
  milestone_progress: 'Milestones',
  accounts_health: 'Account health',
  survey_nps: 'Net promoter score',
  meetings: 'Meetings',
  new_companies: 'New companies',
  new_contacts: 'New contacts',
}

/** The ranges that the bar offers; others of an address or a dashboard are shown by their own words. */
export const ranges = [
  '7_days',
  '30_days',
  '90_days',
  '12_months',
  'this_week',
  'this_month',
  'this_quarter',
  'this_year',
  'last_month',
  'last_quarter',
  'last_year',
]

/** A time filter in words: "Last 30 days", "This quarter". */
export function rangeWords(range: string): string {
  if (range === 'today') return 'Today'
  if (range === '12_months') return 'Last 12 months'
  const days = /^(\d+)_days$/.exec(range)?.[1]
  if (days) return `Last ${days} days`
  const [which = '', unit = ''] = range.split('_')
  return `${capital(which)} ${unit}`
}

/** The time before a range, as a change is told from it: "the 30 days before". */
export function beforeWords(range: string): string {
  if (range === 'today') return 'yesterday'
  if (range === '12_months') return 'the 12 months before'
  const days = /^(\d+)_days$/.exec(range)?.[1]
  if (days) return `the ${days} days before`
  const [, unit = 'period'] = range.split('_')
  return `the ${unit} before`
}

const filterNames: { [filter: string]: string } = {
  owner: 'person',
  team: 'team',
  account_id: 'account',
  pipeline_id: 'pipeline',
  filter_id: 'saved filter',
}

/** What a widget leaves out of the filters above it: "Not filtered by pipeline". */
export function leftOutWords(filters: string[]): string {
  return `Not filtered by ${filters.map((each) => filterNames[each] ?? each).join(' or ')}`
}
