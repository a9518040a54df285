import type { WidgetType } from '../data/dashboards.ts'
import { capital } from '../ui/capital.ts'
import { language, t } from '../locales/text.ts'

/** What widgets are called, by their type. */
export const widgetNames: { [type in WidgetType]: string } = {
  activities: t('Activity'),
  deals_by_stage: t('Deals by stage'),
  deal_funnel: t('Deals through the stages'),
  revenue_forecast: t('Won and expected'),
  deals_won_lost: t('Won and lost'),
  projects_by_status: t('Projects by status'),
  tasks_by_status: t('Tasks by status'),
  overdue_tasks: t('Overdue tasks'),
  milestone_progress: t('Milestones'),
  accounts_health: t('Account health'),
  survey_nps: t('Net promoter score'),
  meetings: t('Meetings'),
  new_companies: t('New companies'),
  new_contacts: t('New contacts'),
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
  if (range === 'today') return t('Today')
  if (range === '12_months') return t('Last 12 months')
  const days = /^(\d+)_days$/.exec(range)?.[1]
  if (days) return t('Last {days} days', { days })
  return periods[range] ?? capital(range.replaceAll('_', ' '))
}

/** The time before a range, as a change is told from it: "the 30 days before". */
export function beforeWords(range: string): string {
  if (range === 'today') return t('yesterday')
  if (range === '12_months') return t('in the 12 months before')
  const days = /^(\d+)_days$/.exec(range)?.[1]
  if (days) return t('in the {days} days before', { days })
  return befores[range.split('_')[1] ?? ''] ?? t('in the period before')
}

const periods: { [range: string]: string } = {
  this_week: t('This week'),
  this_month: t('This month'),
  this_quarter: t('This quarter'),
  this_year: t('This year'),
  last_week: t('Last week'),
  last_month: t('Last month'),
  last_quarter: t('Last quarter'),
  last_year: t('Last year'),
}

const befores: { [unit: string]: string } = {
  week: t('in the week before'),
  month: t('in the month before'),
  quarter: t('in the quarter before'),
  year: t('in the year before'),
}

const eitherOf = new Intl.ListFormat(language, { type: 'disjunction' })

const filterNames: { [filter: string]: string } = {
  owner: t('person'),
  team: t('team'),
  account_id: t('account'),
  pipeline_id: t('pipeline'),
  filter_id: t('saved filter'),
}

/** What a widget leaves out of the filters above it: "Not filtered by pipeline". */
export function leftOutWords(filters: string[]): string {
  return t('Not filtered by {filters}', {
    filters: eitherOf.format(filters.map((each) => filterNames[each] ?? each)),
  })
}
