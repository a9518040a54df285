import type { Queries } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'

/** A dashboard of the product: `config` is of each of its widgets, where `me` is whoever looks. */
type Shipped = {
  key?: string
  type: string
  name: string
  description: string
  widgets: WidgetType[]
  config?: { owner: 'me' }
}

const shipped: Shipped[] = [
  {
    type: 'overview',
    name: 'Overview',
    description: 'What is new, what is due and how the customers are',
    widgets: [
      'activities',
      'new_companies',
      'new_contacts',
      'overdue_tasks',
      'accounts_health',
      'survey_nps',
    ],
  },
  {
    type: 'deals',
    name: 'Deals',
    description: 'The pipeline, what it promises and what became of it',
    widgets: ['deals_by_stage', 'deal_funnel', 'revenue_forecast', 'deals_won_lost'],
  },
  {
    type: 'projects',
    name: 'Projects',
    description: 'How the onboarding projects are coming along',
    widgets: [
      'projects_by_status',
      'milestone_progress',
      'tasks_by_status',
      'overdue_tasks',
      'meetings',
    ],
  },
  // one for each kind of work
  {
    key: 'sales',
    type: 'deals',
    name: 'Sales lead',
    description: 'What the pipeline holds, what it promises and what became of it',
    widgets: [
      'deals_by_stage',
      'revenue_forecast',
      'deal_funnel',
      'deals_won_lost',
      'new_companies',
      'activities',
    ],
  },
  {
    key: 'account-owner',
    type: 'custom',
    name: 'Account owner',
    description: 'One’s own customers: how they are, and what is to be done',
    widgets: [
      'accounts_health',
      'overdue_tasks',
      'tasks_by_status',
      'deals_by_stage',
      'meetings',
      'survey_nps',
    ],
    config: { owner: 'me' },
  },
  {
    key: 'delivery',
    type: 'projects',
    name: 'Delivery lead',
    description: 'All projects: how far they are, what is late, and how the customers are',
    widgets: [
      'projects_by_status',
      'milestone_progress',
      'overdue_tasks',
      'tasks_by_status',
      'accounts_health',
      'meetings',
    ],
  },
  {
    key: 'project-manager',
    type: 'projects',
    name: 'Project manager',
    description: 'One’s own projects: how far they are, and what is late',
    widgets: [
      'projects_by_status',
      'milestone_progress',
      'tasks_by_status',
      'overdue_tasks',
      'meetings',
    ],
    config: { owner: 'me' },
  },
  {
    key: 'customers',
    type: 'revenue',
    name: 'Head of customers',
    description: 'How the customers are, and what they bring',
    widgets: [
      'accounts_health',
      'survey_nps',
      'revenue_forecast',
      'deals_won_lost',
      'projects_by_status',
      'meetings',
    ],
  },
  {
    key: 'admin',
    type: 'activities',
    name: 'Administrator',
    description: 'What happens in the workspace',
    widgets: ['activities', 'new_companies', 'new_contacts', 'tasks_by_status', 'meetings'],
  },
]

/** The dashboards that every organization has from the start; they cannot be changed. */
export async function shipDashboards(queries: Queries, organization_id: string): Promise<void> {
  const rows = shipped.map(({ type, key = type, name, description, widgets, config = {} }) => {
    const placed = widgets.map((widget_type, i) => ({
      widget_id: `${key}-${widget_type}`,
      widget_type,
      position: { x: (i % 2) * 6, y: Math.floor(i / 2) * 4, w: 6, h: 4 },
      config,
      is_visible: true,
      refresh_interval: 300,
      last_refreshed: null,
    }))
    return sql`(${organization_id}, ${newId()}, ${name}, ${description}, ${type}, true, 'public',
      ${JSON.stringify(placed)}::jsonb)`
  })
  await queries.run(sql`
    insert into dashboards (organization_id, id, dashboard_name, description, dashboard_type,
      is_protected, visibility, widgets)
    values ${sql.join(rows)}`)
}
