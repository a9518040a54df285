import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import { accountsHealth, meetings, surveyNps } from './widgets/customers.ts'
import { activities, newCompanies, newContacts } from './widgets/daily.ts'
import { dealFunnel, dealsByStage } from './widgets/deals.ts'
import type { Widget } from './widgets/kind.ts'
import { dealsWonLost, revenueForecast } from './widgets/revenue.ts'
import { milestoneProgress, overdueTasks, projectsByStatus, tasksByStatus } from './widgets/work.ts'

/** Every kind of widget, by its word. */
export const widgets: { [type in WidgetType]: Widget } = {
  activities,
  deals_by_stage: dealsByStage,
  deal_funnel: dealFunnel,
  revenue_forecast: revenueForecast,
  deals_won_lost: dealsWonLost,
  projects_by_status: projectsByStatus,
  tasks_by_status: tasksByStatus,
  overdue_tasks: overdueTasks,
  milestone_progress: milestoneProgress,
  accounts_health: accountsHealth,
  survey_nps: surveyNps,
  meetings,
  new_companies: newCompanies,
  new_contacts: newContacts,
}
