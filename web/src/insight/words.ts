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

/** What each type of widget counts, in a sentence: its definition. */
export const widgetAbout: { [type in WidgetType]: string } = {
  activities: t('Entries of the log that you may see, by day'),
  deals_by_stage: t('Open deals by stage at the end of the time, and those won or lost within it'),
  deal_funnel: t('Of the deals created in the time, how many came to each stage or one after it'),
  revenue_forecast: t(
    'Open deals by the month in which they are expected, times the probability of their stage, beside what was won',
  ),
  deals_won_lost: t('Deals that were won and lost, by the day on which they were closed'),
  projects_by_status: t(
    'Projects that ran at some time in the period, by the status they have now',
  ),
  tasks_by_status: t(
    'Tasks that were open at some time in the period, by the status they have now',
  ),
  overdue_tasks: t('How many open tasks were past their due date at the end of each day'),
  milestone_progress: t('Completed milestones of each project, those with most to do first'),
  accounts_health: t('Accounts by their health of today: healthy from 70, at risk from 40'),
  survey_nps: t('Answers from 9 to 10 less those from 0 to 6, in per cent of all answers'),
  meetings: t('Meetings by the day on which they take place, without cancelled ones'),
  new_companies: t('Companies by the day on which they were created'),
  new_contacts: t('Contacts by the day on which they were created'),
}

/** The module whose records each type of widget counts. */
export const widgetModules: { [type in WidgetType]: string } = {
  activities: 'activity',
  deals_by_stage: 'deals',
  deal_funnel: 'deals',
  revenue_forecast: 'deals',
  deals_won_lost: 'deals',
  projects_by_status: 'projects',
  tasks_by_status: 'tasks',
  overdue_tasks: 'tasks',
  milestone_progress: 'projects',
  accounts_health: 'accounts',
  survey_nps: 'surveys',
  meetings: 'calendar',
  new_companies: 'companies',
  new_contacts: 'contacts',
}

/** The type that a widget has which shows a report of a module: one that counts the same records. */
export function typeOfReport(module: string): WidgetType {
  const types = Object.entries(widgetModules) as [WidgetType, string][]
  return types.find(([, its]) => its === module)?.[0] ?? 'activities'
}

/** Whether the pipeline means something to a type of widget. */
export function isByPipeline(type: WidgetType): boolean {
  return !['accounts_health', 'new_companies', 'new_contacts', 'survey_nps'].includes(type)
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
