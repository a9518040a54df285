/** The values of `widget_type`, one for each kind of widget. */
export const widgetTypes = [
  'activities',
  'deals_by_stage',
  'deal_funnel',
  'revenue_forecast',
  'deals_won_lost',
  'projects_by_status',
  'tasks_by_status',
  'overdue_tasks',
  'milestone_progress',
  'accounts_health',
  'survey_nps',
  'meetings',
  'new_companies',
  'new_contacts',
] as const

export type WidgetType = (typeof widgetTypes)[number]
